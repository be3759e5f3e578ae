/** Puts a whole file in place of another in one step, so that a crash leaves the old one or the new one. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, type FileHandle, link, open, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { whileBusy } from "../base/while-busy.ts";
import { FileError, namingLeftover, StaleFileError, systemCode, toFileError } from "./file-error.ts";
import type { PinnedFolder } from "./pinned-folder.ts";

type PutOptions = {
  /** Permission bits of the file that is replaced; undefined for a new file. */
  readonly mode?: number;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** The last look before the step that cannot be undone; throws to stop it. */
  confirm(): Promise<void>;
  readonly platform?: NodeJS.Platform;
};

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** A name no project uses, for what exists only while a change is made. */
export function temporaryName(): string {
  return `.countersign-${randomBytes(8).toString("hex")}.tmp`;
}

/** Whether a name was made by `temporaryName`. */
export function isTemporaryName(name: string): boolean {
  return /^\.countersign-[0-9a-f]{16}\.tmp$/.test(name);
}

async function keepAttributes(handle: FileHandle, options: PutOptions): Promise<void> {
  const { mode, owner } = options;
  const mine = await handle.stat();
  if (owner && (owner.uid !== mine.uid || owner.gid !== mine.gid)) {
    // Only a privileged person may give files away; for everybody else the new file is theirs.
    await handle.chown(owner.uid, owner.gid).catch(() => {});
  }
  if (mode !== undefined) await handle.chmod(mode);
}

/**
 * Opens the temporary file, empty. On macOS and Windows it begins as a copy of the file it replaces, since what those
 * systems know of a file besides its content, such as tags, attributes and macOS' access list, is copied only so.
 */
async function create(temporary: string, replaced: string, options: PutOptions): Promise<FileHandle> {
  const { owner, platform = process.platform } = options;
  if (owner === null || (platform !== "darwin" && platform !== "win32"))
    return open(temporary, createFlags, owner ? 0o600 : 0o666);
  await copyFile(replaced, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const handle = await open(temporary, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    await handle.truncate(0);
    return handle;
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

async function fill(
  temporary: string,
  replaced: string,
  bytes: Uint8Array,
  options: PutOptions,
): Promise<void> {
  const handle = await create(temporary, replaced, options);
  try {
    await handle.writeFile(bytes);
    await keepAttributes(handle, options);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives the temporary file its name only if nothing has that name; a plain rename would replace it. */
async function nameNewFile(folder: PinnedFolder, temporary: string, name: string): Promise<void> {
  try {
    const isLinked = await link(folder.at(temporary), folder.at(name)).then(
      () => true,
      (cause) => {
        if (systemCode(cause) === "EEXIST") throw cause;
        return false;
      },
    );
    if (!isLinked) return await renameToNewName(folder.at(temporary), folder, name);
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw cause;
    throw new StaleFileError(name, "was created by something else meanwhile");
  }
  const left = join(folder.path, temporary);
  await whileBusy(left, () => unlink(folder.at(temporary))).catch((cause) => {
    throw new FileError(
      "busy",
      name,
      `${name} was written, and ${left} is left of that; it can be deleted.`,
      {
        cause,
      },
    );
  });
}

/**
 * Where there are no hard links: claims the name first, and gives it free again when the file cannot take it.
 * @param source as the folder it lies in names it
 * @throws the system's error, `EEXIST` when the name is taken
 */
export async function renameToNewName(source: string, folder: PinnedFolder, name: string): Promise<void> {
  await (await open(folder.at(name), createFlags)).close();
  try {
    await whileBusy(join(folder.path, name), () => rename(source, folder.at(name)));
  } catch (cause) {
    const claimed = await stat(folder.at(name)).catch(() => null);
    if (claimed?.size === 0) await unlink(folder.at(name)).catch(() => {});
    throw cause;
  }
}

/**
 * Writes `bytes` as `name` of the folder: a temporary file, synced, then renamed.
 * @throws StaleFileError when `confirm` says so or a new name got taken; the system's error as it is. Nothing is left
 *   behind; where the system keeps it from being removed, the error names what is left.
 */
export async function putFile(
  folder: PinnedFolder,
  name: string,
  bytes: Uint8Array,
  options: PutOptions,
): Promise<void> {
  const temporary = temporaryName();
  const path = join(folder.path, name);
  if (options.owner) await access(folder.at(name), constants.W_OK);
  try {
    await fill(folder.at(temporary), folder.at(name), bytes, options);
    await options.confirm();
    if (options.owner)
      await whileBusy(path, () => rename(folder.at(temporary), folder.at(name)), options.platform);
    else await nameNewFile(folder, temporary, name);
  } catch (cause) {
    throw await afterRemoving(folder, temporary, cause, path);
  }
  await folder.sync();
}

/** The error to end with once the temporary file is gone, or that says where it is. */
async function afterRemoving(folder: PinnedFolder, temporary: string, cause: unknown, path: string) {
  try {
    await whileBusy(path, () => unlink(folder.at(temporary)));
  } catch (left) {
    if (systemCode(left) !== "ENOENT")
      return namingLeftover(
        toFileError(cause, path),
        `The attempt left ${join(folder.path, temporary)}, which can be deleted.`,
      );
  }
  return cause;
}
