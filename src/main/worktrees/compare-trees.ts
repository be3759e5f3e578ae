/** The files in which two trees of git differ, and both sides of each, read without any program of the repository. */
import { decodeText } from "../files/stored-file.ts";
import { readBlob } from "./read-blob.ts";
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";

/** One file of the review. `from` and `to` are mode and object, null where there is none. */
export type TreeChange = {
  readonly name: string;
  /** Its name before, where it was renamed. */
  readonly oldName: string;
  readonly state: "added" | "changed" | "deleted" | "moved";
  readonly from: string | null;
  readonly to: string | null;
  /** Undefined for what is no text. */
  readonly lines: { readonly added: number; readonly removed: number } | undefined;
};

const quiet = ["--no-ext-diff", "--no-textconv", "-M", "-l1000", "-r", "-z"];

/** In the order of their names. */
export async function compareTrees(
  git: SafeGit,
  place: GitPlace,
  from: string,
  to: string,
): Promise<TreeChange[]> {
  const raw = (await mustGit(git, place, ["diff-tree", ...quiet, "--raw", from, to])).split("\0");
  const counts = readCounts(await mustGit(git, place, ["diff-tree", ...quiet, "--numstat", from, to]));
  const found: TreeChange[] = [];
  for (let at = 0; at + 1 < raw.length; ) {
    const facts = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])/.exec(raw[at]!);
    if (!facts) break;
    const [, oldMode, newMode, oldId, newId, letter] = facts;
    const isMove = letter === "R" || letter === "C";
    const oldName = raw[at + 1]!;
    const name = isMove ? raw[at + 2]! : oldName;
    at += isMove ? 3 : 2;
    found.push({
      name,
      oldName,
      state: letter === "A" ? "added" : letter === "D" ? "deleted" : isMove ? "moved" : "changed",
      from: letter === "A" ? null : `${oldMode} ${oldId}`,
      to: letter === "D" ? null : `${newMode} ${newId}`,
      lines: counts.get(name),
    });
  }
  return found;
}

type Lines = { added: number; removed: number };

/** Git writes `added TAB removed TAB name`, of a rename both names after an empty one. */
function readCounts(text: string): Map<string, Lines> {
  const parts = text.split("\0");
  const counts = new Map<string, Lines>();
  for (let at = 0; at < parts.length; at += 1) {
    const line = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(parts[at]!);
    if (!line) continue;
    const name = line[3] === "" ? parts[at + 2]! : line[3]!;
    if (line[3] === "") at += 2;
    if (line[1] !== "-") counts.set(name, { added: Number(line[1]), removed: Number(line[2]) });
  }
  return counts;
}

const mostShownBytes = 1_000_000;

/** What is shown of one side: its text, or why there is none. */
export type Shown = { readonly text: string } | { readonly why: "binary" | "too-large" | "submodule" };

/**
 * @param entry mode and object; of null, which is no file, the text is empty
 * @throws as `readBlob`
 */
export async function showEntry(git: SafeGit, place: GitPlace, entry: string | null): Promise<Shown> {
  if (entry === null) return { text: "" };
  const [mode, id] = entry.split(" ") as [string, string];
  if (mode === "160000") return { why: "submodule" };
  const size = Number((await mustGit(git, place, ["cat-file", "-s", id])).trim());
  if (size > mostShownBytes) return { why: "too-large" };
  const text = decodeText(await readBlob(git, place, id));
  return text === null ? { why: "binary" } : { text };
}
