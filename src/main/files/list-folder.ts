/** Lists one folder: names, kinds and sizes, and of a link only that it is one unless it stays inside the workspace. */
import { readdir } from "node:fs/promises";
import { toFileError } from "./file-error.ts";
import { type EntryKind, lookAt } from "./folder-entry.ts";
import { pinFolder, withFolder } from "./pinned-folder.ts";
import { locate, type Place, placeBelow } from "./real-path.ts";

type ListedEntry = {
  readonly name: string;
  /** The path in the folder, links in it not followed. */
  readonly path: string;
  readonly relativePath: string;
  /** A link to something inside the workspace counts as what it leads to; any other stays a link. */
  readonly kind: EntryKind;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
};

export type FolderListing = {
  readonly path: string;
  readonly entries: ListedEntry[];
  /** There are more entries than were listed. */
  readonly truncated: boolean;
};

const maxEntries = 2_000;

async function kindBehindLink(root: string, path: string): Promise<EntryKind> {
  try {
    const target = await locate(root, path);
    return (await lookAt({ at: () => target.path }, "", path))?.kind ?? "link";
  } catch {
    return "link";
  }
}

/** The entries of a located folder, sorted by name. @throws FileError when it is no folder or may not be read */
export function listFolder(root: string, place: Place): Promise<FolderListing> {
  return withFolder(pinFolder(place.path), async (folder) => {
    const names = await readdir(folder.at(".")).catch((cause) => {
      throw toFileError(cause, place.asked);
    });
    const entries: ListedEntry[] = [];
    for (const name of names.sort().slice(0, maxEntries)) {
      const entry = await lookAt(folder, name, name);
      if (entry === null) continue;
      const at = placeBelow(place, name);
      const kind = entry.kind === "link" ? await kindBehindLink(root, at.path) : entry.kind;
      entries.push({ name, ...at, kind, size: entry.size, modifiedAt: entry.modifiedAt });
    }
    return { path: place.path, entries, truncated: names.length > maxEntries };
  });
}
