/** What a thread's agent has read, and who wrote it. */
import { basename } from "node:path";
import { kindOf } from "../../shared/tools/tools.ts";
import { giveWay } from "../base/give-way.ts";
import { findSecretFile } from "../policy/secret-names.ts";
import { foldInTurns } from "./fold-text.ts";
import { plainWords } from "./persons-words.ts";

/**
 * person: answers · workspace: files of a trusted folder · secret: what must not go anywhere · outside: the web, servers'
 * tools, what commands said, folders that are not trusted.
 */
export type TextSource = "person" | "workspace" | "secret" | "outside";

export type ReadText = {
  source: TextSource;
  /** Where exactly, in a person's words: an address, a server's tool, a command, a file. */
  name: string;
  text: string;
  /** Its letters and digits alone; empty where nothing is looked for in it. */
  folded: string;
  /** More was read than is known here. */
  isCut?: boolean;
  /** What `wordsOf` gave. */
  words?: string;
};

/** Makes a text that was read fit to be looked through; gives way to the loop. */
export async function toReadText(
  source: TextSource,
  name: string,
  text: string,
  isCut = false,
): Promise<ReadText> {
  const isLookedThrough = source === "outside" || source === "secret";
  return { source, name, text, folded: isLookedThrough ? await foldInTurns(text) : "", isCut };
}

/** What is read between two turns of the loop. */
const pieceChars = 32_000;

/** Its words as `plainWords` gives them; gives way to the loop. */
export async function wordsOf(read: ReadText): Promise<string> {
  if (read.words !== undefined) return read.words;
  let words = "";
  for (let from = 0; from < read.text.length; ) {
    await giveWay();
    const end = from + pieceChars;
    const space = end < read.text.length ? read.text.lastIndexOf(" ", end) : -1;
    const to = space > from ? space : end;
    words += `${plainWords(read.text.slice(from, to))}${to === space ? " " : ""}`;
    from = to;
  }
  read.words = words;
  return words;
}

/** A call that gave a text, and what is known of it. */
export type Reading = {
  tool: string;
  args: Record<string, unknown>;
  /** The folder it works in is trusted. */
  isTrusted: boolean;
  /** The policy found that it only reads there. */
  readsOnlyHere: boolean;
};

/** Who wrote what a call gave back; whatever is not known to come from here comes from outside. */
export function sourceOfResult({ tool, args, isTrusted, readsOnlyHere }: Reading): TextSource {
  const kind = kindOf(tool);
  if (kind === "question") return "person";
  if (kind === "command") return isTrusted && readsOnlyHere ? "workspace" : "outside";
  const { file_path: path } = args;
  if (typeof path === "string" && findSecretFile(basename(path)) !== undefined) return "secret";
  // A place that had to be asked about may lie outside of the folder.
  const isHere = kind === "change" || kind === "plan" || (kind === "read" && readsOnlyHere);
  return isHere && isTrusted ? "workspace" : "outside";
}
