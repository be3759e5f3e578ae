/** Reads what a command would change: the upper folder of its overlay, held against the workspace as it is. */
import { constants, type Stats } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../files/file-error.ts";
import { hashBytes } from "../files/stored-file.ts";
import { lookNow, mostKeptBytes, statOf } from "../undo/look-now.ts";
import type { ComesBack } from "../undo/plan-take-back.ts";
import type { FolderMove } from "../undo/put-folder.ts";
import type { Version } from "../undo/version.ts";

export type RehearsedChanges = {
  /** From what is there to what would be; paths are whole. */
  readonly files: readonly ComesBack[];
  readonly folders: FolderMove;
};

/** What cannot be carried over exactly is said in a sentence, and nothing of it is. */
export class NotRehearsable extends Error {
  override name = "NotRehearsable";
}

/** A card lists each of them, so that none is approved unseen. */
export const mostChanges = 300;
/** Of all contents that would come. */
const mostBytes = 32_000_000;

type Walk = {
  readonly workspace: string;
  readonly upper: string;
  readonly merged: string;
  /** The folder that the overlay lies over, by a path that stays its own whatever has the workspace's by then. */
  readonly lower: string;
  /** On the clock of the disk, in ms since 1970: what was altered later may be another than the command saw. */
  readonly startedAt: number;
  /** Keeps a content that would come. @returns its hash */
  keep(bytes: Buffer): Promise<string>;
  readonly found: {
    files: ComesBack[];
    made: FolderMove["made"][number][];
    gone: FolderMove["gone"][number][];
  };
  bytes: number;
};

/** @throws NotRehearsable */
export async function readChanges(
  parts: Pick<Walk, "workspace" | "upper" | "merged" | "lower" | "startedAt" | "keep">,
): Promise<RehearsedChanges> {
  const walk: Walk = { ...parts, found: { files: [], made: [], gone: [] }, bytes: 0 };
  await readAll(walk).catch((cause) => {
    if (systemCode(cause) === "") throw cause;
    throw new NotRehearsable(`What it would change cannot be read (${systemCode(cause)}).`);
  });
  const { files, made, gone } = walk.found;
  return { files, folders: { made, gone } };
}

async function readAll(walk: Walk): Promise<void> {
  await readFolder(walk, "");
  const [there, lower] = [statOf(walk.workspace), await lstat(walk.lower)];
  if (there?.ino !== lower.ino || there.dev !== lower.dev)
    throw new NotRehearsable("The folder was moved while the command was rehearsed.");
}

const permissionsOf = ({ mode }: Stats) => mode & 0o7777;

/** @throws NotRehearsable where one is no text: two of them could read alike, and one would stand for both */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { encoding: "buffer" });
  return names.map((bytes) => {
    const name = bytes.toString();
    if (Buffer.from(name).equals(bytes)) return name;
    throw new NotRehearsable(`The name ${JSON.stringify(name)} in a folder that it changes is no text.`);
  });
}

/** A folder that is in the upper one and in the workspace: what it lacks there is gone, what it has is new or changed. */
async function readFolder(walk: Walk, below: string): Promise<void> {
  const base = statOf(join(walk.workspace, below));
  const now = await lstat(join(walk.upper, below));
  if (!base?.isDirectory()) throw new NotRehearsable("The folder was moved while the command was rehearsed.");
  if (below !== "") requireAsThen(walk, below, base);
  if (permissionsOf(base) !== permissionsOf(now))
    throw new NotRehearsable(`It changes the permissions of the folder ${below || "itself"}.`);
  const there = new Set(await namesIn(join(walk.merged, below)));
  for (const name of await namesIn(join(walk.workspace, below)))
    if (!there.has(name)) await readGone(walk, join(below, name));
  for (const name of (await namesIn(join(walk.upper, below))).sort())
    if (there.has(name)) await readEntry(walk, join(below, name));
}

async function readEntry(walk: Walk, below: string): Promise<void> {
  const path = join(walk.workspace, below);
  const [now, base] = [await lstat(join(walk.upper, below)), statOf(path)];
  if (now.isDirectory()) {
    if (base?.isDirectory()) return readFolder(walk, below);
    if (base) await readGone(walk, below);
    return readNewFolder(walk, below, now);
  }
  if (now.isSymbolicLink()) {
    const isSame =
      base?.isSymbolicLink() && (await readlink(path)) === (await readlink(join(walk.upper, below)));
    if (isSame) return;
    throw new NotRehearsable(`It makes or changes the link ${below}.`);
  }
  if (!now.isFile()) throw new NotRehearsable(`It makes ${below}, which is a pipe, a socket or a device.`);
  if (now.nlink > 1) throw new NotRehearsable(`It gives the file ${below} a second name (a hard link).`);
  const to = { hash: await keepContent(walk, below, now), mode: permissionsOf(now) };
  if (base?.isFile()) return readChanged(walk, below, base, to);
  if (base) await readGone(walk, below);
  add(walk, { path, from: null, to });
}

async function readNewFolder(walk: Walk, below: string, now: Stats): Promise<void> {
  const mode = permissionsOf(now);
  if ((mode & 0o700) !== 0o700)
    throw new NotRehearsable(`It makes the folder ${below}, in which not even you may write.`);
  walk.found.made.push({ path: join(walk.workspace, below), mode });
  count(walk);
  for (const name of (await namesIn(join(walk.upper, below))).sort()) {
    const entry = await lstat(join(walk.upper, below, name));
    if (!isWhiteout(entry)) await readNew(walk, join(below, name), entry);
  }
}

/** Below a folder that is new: whatever the workspace has at this path is gone already. */
async function readNew(walk: Walk, below: string, now: Stats): Promise<void> {
  if (now.isDirectory()) return readNewFolder(walk, below, now);
  return readEntry(walk, below);
}

/** The mark that overlays make where something was taken away. */
const isWhiteout = (stat: Stats) => stat.isCharacterDevice() && stat.rdev === 0;

async function readChanged(walk: Walk, below: string, base: Stats, to: Version): Promise<void> {
  const from = await versionOf(walk, below, base);
  // Times alone are not carried over.
  if (from.hash === to.hash && from.mode === to.mode) return;
  if (base.nlink > 1) throw new NotRehearsable(`It changes ${below}, which has a second name (a hard link).`);
  add(walk, { path: join(walk.workspace, below), from, to });
}

/** What stands at this path in the workspace, with all below it, is gone. */
async function readGone(walk: Walk, below: string): Promise<void> {
  const path = join(walk.workspace, below);
  const base = statOf(path);
  if (base === undefined) throw new NotRehearsable(moved(below));
  if (base.isDirectory()) {
    requireAsThen(walk, below, base);
    walk.found.gone.push({ path, mode: permissionsOf(base) });
    count(walk);
    for (const name of await namesIn(path)) await readGone(walk, join(below, name));
    return;
  }
  if (!base.isFile()) throw new NotRehearsable(`It takes ${below} away, which is a link or no file.`);
  add(walk, { path, from: await versionOf(walk, below, base), to: null });
}

/** A folder in the place of the one that the command saw may hold files that are older than the command. */
function requireAsThen({ startedAt }: Walk, below: string, base: Stats): void {
  if (base.ctimeMs > startedAt) throw new NotRehearsable(moved(below));
}

const moved = (below: string) => `${below} was changed by something else while it was rehearsed.`;

/** What the command found there. */
async function versionOf(walk: Walk, below: string, base: Stats): Promise<Version> {
  if (base.size > mostKeptBytes) throw new NotRehearsable(tooLarge(below));
  const path = join(walk.workspace, below);
  const there = (await lookNow(walk.workspace, [{ path, from: null, mark: null, fixed: undefined }])).get(
    path,
  );
  // Looked at last: what it was read as was there when the command began.
  const isAsThen = (statOf(path)?.ctimeMs ?? Number.POSITIVE_INFINITY) <= walk.startedAt;
  if (there?.kind !== "file" || there.version.hash === "" || !isAsThen)
    throw new NotRehearsable(moved(below));
  return there.version;
}

const tooLarge = (below: string) => `It changes ${below}, which is too large to be kept.`;
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function keepContent(walk: Walk, below: string, { size }: Stats): Promise<string> {
  walk.bytes += size;
  if (size > mostKeptBytes || walk.bytes > mostBytes) throw new NotRehearsable(tooLarge(below));
  const file = await open(join(walk.upper, below), readFlags).catch(() => undefined);
  if (file === undefined) throw new NotRehearsable(`It makes ${below}, which not even you may read.`);
  try {
    const bytes = await file.readFile();
    const hash = await walk.keep(bytes);
    if (hash !== hashBytes(bytes)) throw new Error("a content was kept under another name");
    return hash;
  } finally {
    await file.close();
  }
}

function add(walk: Walk, file: ComesBack): void {
  walk.found.files.push(file);
  count(walk);
}

function count({ found: { files, made, gone } }: Walk): void {
  if (files.length + made.length + gone.length > mostChanges)
    throw new NotRehearsable(`It changes more than ${mostChanges} files and folders.`);
}
