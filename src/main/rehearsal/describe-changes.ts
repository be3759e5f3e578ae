/** Says of each file and folder what a rehearsed command would do to it, as a card lists it. */
import type { FileDiff } from "../../shared/contract/approvals.ts";
import type { RehearsedChange } from "../../shared/contract/subjects.ts";
import { countChangedLines } from "../files/changed-lines.ts";
import { withSlashes } from "../files/real-path.ts";
import { decodeText, hashBytes } from "../files/stored-file.ts";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import type { Rehearsal } from "./rehearse.ts";

/** Lines of more are not counted. */
const countedBytes = 256_000;

const textOf = (bytes: Buffer | null) =>
  bytes === null || bytes.length > countedBytes ? null : decodeText(bytes);

type Found = Rehearsal["files"][number];
type Contents = (hash: string) => Promise<Buffer | null>;
type Changed = Pick<Rehearsal, "root" | "files">;

const nameIn = (root: string, path: string) => withSlashes(path.slice(root.length + 1));

/**
 * @param name as the card lists it. @param contentOf what a file would hold, by its hash.
 * @returns what the file is and would be; `undefined` where that is no text, too long, or not what was rehearsed on
 */
export async function readDifference(
  { root, files }: Changed,
  name: string,
  contentOf: Contents,
): Promise<FileDiff | undefined> {
  const file = files.find(({ path }) => nameIn(root, path) === name);
  if (!file) return undefined;
  const { path, from, to } = file;
  const { bytes } = from ? await createWorkspaceFiles(root).readRaw(path) : { bytes: null };
  if (from && (bytes === null || hashBytes(bytes) !== from.hash)) return undefined;
  const before = textOf(bytes);
  const after = to && textOf(await contentOf(to.hash));
  if ((from && before === null) || (to && after === null)) return undefined;
  return { path: name, before, after, tooLarge: false };
}

/** @param contentOf what a file would hold, by its hash. @returns all of them, by name */
export async function describeChanges(
  { root, files, folders }: Pick<Rehearsal, "root" | "files" | "folders">,
  contentOf: Contents,
): Promise<RehearsedChange[]> {
  const workspace = createWorkspaceFiles(root);
  const named = (path: string) => nameIn(root, path);
  const ofFile = async (file: Found): Promise<RehearsedChange> => {
    const { path, from, to } = file;
    const before = from ? textOf((await workspace.readRaw(path)).bytes) : "";
    const after = to ? textOf(await contentOf(to.hash)) : "";
    const about = { path: named(path), what: whatOf(file), folder: false };
    if (before === null || after === null) return about;
    const { added, removed } = countChangedLines(before, after);
    return { ...about, lines: { added, removed } };
  };
  const found: RehearsedChange[] = [
    ...folders.gone.map(({ path }) => ({ path: named(path), what: "deletes" as const, folder: true })),
    ...folders.made.map(({ path }) => ({ path: named(path), what: "makes" as const, folder: true })),
  ];
  for (const file of files) found.push(await ofFile(file));
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

function whatOf({ from, to }: Found): RehearsedChange["what"] {
  if (from === null) return "makes";
  if (to === null) return "deletes";
  return from.hash === to.hash ? "permissions" : "changes";
}
