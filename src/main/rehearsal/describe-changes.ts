/** Says of each file and folder what a rehearsed command would do to it, as a card lists it. */
import type { RehearsedChange } from "../../shared/contract/subjects.ts";
import { countChangedLines } from "../files/changed-lines.ts";
import { withSlashes } from "../files/real-path.ts";
import { decodeText } from "../files/stored-file.ts";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import type { Rehearsal } from "./rehearse.ts";

/** Lines of more are not counted. */
const countedBytes = 256_000;

const textOf = (bytes: Buffer | null) =>
  bytes === null || bytes.length > countedBytes ? null : decodeText(bytes);

type Found = Rehearsal["files"][number];

/** @param contentOf what a file would hold, by its hash. @returns all of them, by name */
export async function describeChanges(
  { root, files, folders }: Pick<Rehearsal, "root" | "files" | "folders">,
  contentOf: (hash: string) => Promise<Buffer | null>,
): Promise<RehearsedChange[]> {
  const workspace = createWorkspaceFiles(root);
  const named = (path: string) => withSlashes(path.slice(root.length + 1));
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
