/** Makes and takes away folders as a whole way of files needs it; each step can be gone twice. */
import { constants } from "node:fs";
import { lstat, mkdir, open, rmdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { FileError, systemCode, toFileError } from "../files/file-error.ts";
import { type PinnedFolder, pinFolder, withFolder } from "../files/pinned-folder.ts";
import { statOf } from "./look-now.ts";

type Folder = { readonly path: string; readonly mode: number };

/** Folders that go, empty by then, and those that come, by their whole paths. */
export type FolderMove = { readonly gone: readonly Folder[]; readonly made: readonly Folder[] };

/** The first folder that is not as it was before the move; undefined where all are. */
export function notAsBefore({ gone, made }: FolderMove): string | undefined {
  const left = new Set(gone.map(({ path }) => path));
  const isFolder = (path: string) => statOf(path)?.isDirectory() ?? false;
  const isSame = ({ path, mode }: Folder) => isFolder(path) && (statOf(path)!.mode & 0o7777) === mode;
  const strayed =
    gone.find((folder) => !isSame(folder)) ?? made.find(({ path }) => isFolder(path) && !left.has(path));
  return strayed?.path;
}

const deepestFirst = (one: Folder, other: Folder) => other.path.length - one.path.length;

/** Takes away those that go. @param onForeign is told of one that something else was put into */
export async function removeFolders({ gone }: FolderMove, onForeign: (path: string) => void): Promise<void> {
  for (const { path } of [...gone].sort(deepestFirst))
    await inParent(path, (parent, name) =>
      rmdir(parent.at(name)).catch((cause) => {
        if (systemCode(cause) === "ENOTEMPTY") return onForeign(path);
        throw toFileError(cause, path);
      }),
    ).catch((cause) => {
      // Gone already, or what comes in its place, or in the place of a folder above it, is there.
      if (!(cause instanceof FileError && ["not-found", "not-a-folder"].includes(cause.code))) throw cause;
    });
}

/** Makes those that come. @param onForeign is told of one whose place something else has */
export async function makeFolders({ made }: FolderMove, onForeign: (path: string) => void): Promise<void> {
  for (const { path, mode } of [...made].sort(deepestFirst).reverse())
    await inParent(path, async (parent, name) => {
      await mkdir(parent.at(name), 0o700).catch((cause) => {
        if (systemCode(cause) !== "EEXIST") throw toFileError(cause, path);
      });
      if (!(await lstat(parent.at(name))).isDirectory()) return onForeign(path);
      const folder = await open(parent.at(name), folderFlags);
      try {
        await folder.chmod(mode);
      } finally {
        await folder.close();
      }
    });
}

const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

function inParent(path: string, act: (parent: PinnedFolder, name: string) => Promise<void>): Promise<void> {
  return withFolder(pinFolder(dirname(path)), async (parent) => {
    await act(parent, basename(path));
    await parent.sync();
  });
}
