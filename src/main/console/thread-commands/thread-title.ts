/** Names a thread by the first words said in it. */
import { aboutCall } from "../../../shared/tools/about-call.ts";
import { factsOf } from "../../../shared/tools/tools.ts";

export const untitled = "New thread";
const longestTitle = 60;

/** The first line, cut at a word; of a call written out and of other JSON the plain words for it. */
export function titleOf(text: string): string {
  const line = firstLine(withoutJson(text.trim()));
  if (line === "") return untitled;
  if (line.length <= longestTitle) return line;
  const cut = line.slice(0, longestTitle);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), longestTitle / 2))}…`;
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").trim();
}

function withoutJson(text: string): string {
  for (const said of [firstLine(text), text]) {
    const at = said.search(/[[{]/);
    const value = at < 0 ? undefined : readJson(said.slice(at));
    if (value === undefined) continue;
    const before = said.slice(0, at).trim();
    const [, tool] = /^call\s+(\S+)$/i.exec(before) ?? [];
    const isKnown = tool !== undefined && factsOf(tool)?.about({ ...value }) !== undefined;
    return isKnown ? aboutCall(tool, { ...value }) : before || "JSON";
  }
  return text;
}

function readJson(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
