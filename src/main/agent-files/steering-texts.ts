/** Reads the texts by which a folder steers agents and the app: its rules, its AGENTS.md and CLAUDE.md files and its skills. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { jsonBytes } from "../../shared/wire/json-bytes.ts";
import { listContextPaths, sizesOf } from "./workspace-context.ts";

/** The folder's own rules, relative to it. */
export const folderRulesFile = ".countersign/rules.json";

/** More than this is not a text that anybody looks through. */
const largestBytes = 256 * 1024;

/** All of them together: more does not fit into one answer, with what each said before. */
const mostBytes = 12 * 1024 * 1024;

/** One text, relative to the folder; `null` when it is there but cannot be read or is too large. */
export type SteeringText = { file: string; text: string | null };

/** The text of a file, `null` when it cannot be shown, `undefined` when there is none. */
export function readSteeringText(workspace: string, file: string): string | null | undefined {
  const path = join(workspace, file);
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return stat.isFile() && stat.size <= largestBytes ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

/** Every text of a folder that steers, in a fixed order; of too much the first ones, and the others without what they say. Never throws. */
export function readSteeringTexts(workspace: string): SteeringText[] {
  let left = mostBytes;
  return steeringFiles(workspace).flatMap((file) => {
    const text = left > 0 ? readSteeringText(workspace, file) : null;
    if (text === undefined) return [];
    left -= jsonBytes(text);
    return [{ file, text: left > 0 ? text : null }];
  });
}

/** One sentence for whoever looks at these texts, when there is more than can be shown; else undefined. */
export function describeTooMuch(workspace: string, texts: readonly SteeringText[]): string | undefined {
  const sizes = sizesOf(
    workspace,
    texts.map(({ file }) => file),
  );
  const isLeftOut = texts.some(({ text }, at) => text === null && sizes[at]! <= largestBytes);
  if (!isLeftOut) return undefined;
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const largest = Math.max(...sizes);
  const { file } = texts[sizes.indexOf(largest)]!;
  return `These files say more than can be shown (${inMegabytes(whole)} together), so the last of them stay held back, and with each the skills of its folder; make them smaller or take some away, the largest first: ${file} with ${inMegabytes(largest)}.`;
}

const inMegabytes = (bytes: number) => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;

function steeringFiles(workspace: string): string[] {
  const { files, skills } = listContextPaths(workspace);
  return [folderRulesFile, ...files, ...skills.map((skill) => `${skill}/SKILL.md`)];
}
