/** Looks at one name in a pinned folder without following it. */
import type { BigIntStats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { systemCode, toFileError } from "./file-error.ts";
import type { PinnedFolder } from "./pinned-folder.ts";

export type EntryKind = "file" | "folder" | "link" | "other";

/** A name in a folder. `target` is where a link points, as text; size in bytes; times in ms since the epoch. */
type FolderEntry = {
  readonly kind: EntryKind;
  readonly size: number;
  readonly modifiedAt: number;
  readonly modifiedNs: bigint;
  readonly target: string | null;
};

function kindOf(stat: BigIntStats): EntryKind {
  if (stat.isSymbolicLink()) return "link";
  if (stat.isDirectory()) return "folder";
  return stat.isFile() ? "file" : "other";
}

/** The entry, or null when the name does not exist. @throws FileError when the system refuses to look. */
export async function lookAt(
  folder: Pick<PinnedFolder, "at">,
  name: string,
  shown: string,
): Promise<FolderEntry | null> {
  try {
    const stat = await lstat(folder.at(name), { bigint: true });
    const kind = kindOf(stat);
    const target = kind === "link" ? await readlink(folder.at(name)) : null;
    return {
      kind,
      target,
      size: Number(stat.size),
      modifiedAt: Number(stat.mtimeMs),
      modifiedNs: stat.mtimeNs,
    };
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return null;
    throw toFileError(cause, shown);
  }
}
