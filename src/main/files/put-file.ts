/** Puts a whole file in place of another in one step, so that a crash leaves the old one or the new one. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, link, open, rename, unlink } from "node:fs/promises";
import { StaleFileError, systemCode } from "./file-error.ts";
import type { PinnedFolder } from "./pinned-folder.ts";

interface PutOptions {
  /** Permission bits of the file that is replaced; undefined for a new file. */
  readonly mode?: number;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** The last look before the step that cannot be undone; throws to stop it. */
  confirm(): Promise<void>;
}

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

async function fill(path: string, bytes: Uint8Array, options: PutOptions): Promise<void> {
  const handle = await open(path, createFlags, options.owner ? 0o600 : 0o666);
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
    await link(folder.at(temporary), folder.at(name)).catch(async (cause) => {
      if (systemCode(cause) === "EEXIST") throw cause;
      // No hard links on this file system: claim the name first, then put the file in its place.
      await (await open(folder.at(name), createFlags)).close();
      await rename(folder.at(temporary), folder.at(name));
    });
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw cause;
    throw new StaleFileError(name, "was created by something else meanwhile");
  }
  await unlink(folder.at(temporary)).catch(() => {});
}

/**
 * Writes `bytes` as `name` of the folder: a temporary file, synced, then renamed.
 * @throws StaleFileError when `confirm` says so or a new name got taken; the system's error as it is. Nothing is left behind.
 */
export async function putFile(
  folder: PinnedFolder,
  name: string,
  bytes: Uint8Array,
  options: PutOptions,
): Promise<void> {
  const temporary = temporaryName();
  if (options.owner) await access(folder.at(name), constants.W_OK);
  try {
    await fill(folder.at(temporary), bytes, options);
    await options.confirm();
    if (options.owner) await rename(folder.at(temporary), folder.at(name));
    else await nameNewFile(folder, temporary, name);
  } catch (cause) {
    await unlink(folder.at(temporary)).catch(() => {});
    throw cause;
  }
  await folder.sync();
}
