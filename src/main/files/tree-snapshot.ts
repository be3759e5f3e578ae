/**
 * Looks at every file of a workspace, with a copy of the small text files, so that two looks tell what changed between.
 *
 * Copies are taken from the working files and not from git, because a copy is the same for every folder, holds what was
 * never committed, and asks nothing of a repository's own configuration. A file whose stat is as it was is not read
 * again. Everything here is synchronous: it runs in a thread of its own, where that is many times faster.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { type FileBeingRead, tellFile } from "./file-being-read.ts";
import { type FileTimes, isFresh, timesOf } from "./file-mark.ts";
import { type IgnoreRules, ignoresFolder, readIgnoreRules } from "./ignore-rules.ts";
import { isTemporaryName } from "./put-file.ts";
import { isIgnoredFolder } from "./walk-folders.ts";

export type SnapshotLimits = {
  readonly maxFiles: number;
  /** A larger file is not copied. */
  readonly maxFileBytes: number;
  /** All copies of text in one snapshot together. */
  readonly maxTotalBytes: number;
  /** And all copies of what is no text. */
  readonly maxBinaryBytes: number;
  /** When to copy no more and only look; the next snapshot goes on copying. */
  readonly maxCopyMs: number;
  /** When to stop looking. */
  readonly maxMs: number;
  /** Real path of a folder that is not entered: what the app itself keeps there changes with every command. */
  readonly ownFolder: string;
  /** Real paths of files that nothing could be read from before a look was given up; they are not read again. */
  readonly hanging?: readonly string[];
  /** Where to tell what is being read. */
  readonly beingRead?: FileBeingRead;
};

/** One file at one moment. */
export type SeenFile = FileTimes & {
  readonly mode: number;
  /** The content; null when there is no copy. */
  readonly bytes: Buffer | null;
  readonly binary: boolean;
  /** It was altered so shortly before that a later change may leave the same times. */
  readonly fresh: boolean;
};

/** Files by path from the workspace, with `/`. */
export type TreeSnapshot = {
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly ignored: readonly IgnoreRules[];
  /** False when a limit ended the walk, so a file that is not in it may exist. */
  readonly complete: boolean;
};

/** A file that differs between two snapshots; null where it was not there. */
export type TreeChange = {
  readonly path: string;
  readonly before: SeenFile | null;
  readonly after: SeenFile | null;
};

const binaryProbeBytes = 8_000;
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

type Walk = {
  readonly root: string;
  readonly previous: TreeSnapshot | undefined;
  readonly limits: SnapshotLimits;
  readonly copyUntil: number;
  readonly lookUntil: number;
  readonly files: Map<string, SeenFile>;
  ignored: readonly IgnoreRules[];
  bytesLeft: number;
  binaryBytesLeft: number;
  complete: boolean;
};

/** The least that a file of this size takes on any disk, unless its content is kept elsewhere. */
const smallFileBytes = 4_096;

/** A file of iCloud or OneDrive whose content would have to be fetched first, which may take for ever. */
export function isKeptElsewhere(stat: Stats, platform: NodeJS.Platform): boolean {
  return (platform === "darwin" || platform === "win32") && stat.blocks === 0 && stat.size > smallFileBytes;
}

/**
 * The file's content, or null when it is no regular file, may not be read, is not as large as it was said to be, or is
 * not on this disk.
 */
export function readWhole(
  path: string,
  size: number,
  platform: NodeJS.Platform = process.platform,
): Buffer | null {
  let file: number | undefined;
  try {
    file = openSync(path, readFlags);
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size !== size || isKeptElsewhere(stat, platform)) return null;
    const bytes = Buffer.allocUnsafeSlow(size);
    let filled = 0;
    while (filled < size) {
      const count = readSync(file, bytes, filled, size - filled, filled);
      if (count === 0) return null;
      filled += count;
    }
    return bytes;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Reads what has not hung before, and lets whoever waits for the look know what it is at. */
function readInTime({ hanging, beingRead }: SnapshotLimits, path: string, size: number): Buffer | null {
  if (hanging?.includes(path)) return null;
  if (beingRead) tellFile(beingRead, path);
  const bytes = readWhole(path, size);
  if (beingRead) tellFile(beingRead, "");
  return bytes;
}

function isSame(one: SeenFile, other: SeenFile): boolean {
  return (
    one.size === other.size &&
    one.modifiedAt === other.modifiedAt &&
    one.alteredAt === other.alteredAt &&
    one.inode === other.inode &&
    one.mode === other.mode
  );
}

/** Adds the copy, taken over from before where nothing moved. */
function withContent(walk: Walk, path: string, seen: SeenFile): SeenFile {
  const { previous, limits } = walk;
  const known = previous?.files.get(path);
  if (known && !known.fresh && isSame(known, seen)) {
    if (known.bytes) spend(walk, known.bytes.length, known.binary);
    if (known.bytes || known.binary) return known;
  }
  const tooLarge = seen.size > Math.min(limits.maxFileBytes, walk.bytesLeft);
  if (tooLarge || performance.now() > walk.copyUntil) return seen;
  const bytes = readInTime(limits, join(walk.root, path), seen.size);
  if (bytes === null) return seen;
  const binary = bytes.subarray(0, binaryProbeBytes).includes(0);
  if (binary && bytes.length > walk.binaryBytesLeft) return { ...seen, binary };
  spend(walk, bytes.length, binary);
  return { ...seen, bytes, binary };
}

/** Pictures and builds must not keep the texts of a folder from being copied. */
function spend(walk: Walk, bytes: number, binary: boolean): void {
  if (binary) walk.binaryBytesLeft -= bytes;
  else walk.bytesLeft -= bytes;
}

function lookAtFile(walk: Walk, path: string): void {
  const now = Date.now();
  const stat = lstatSync(join(walk.root, path), { throwIfNoEntry: false });
  if (!stat?.isFile()) return;
  const seen: SeenFile = {
    ...timesOf(stat),
    mode: stat.mode & 0o7777,
    bytes: null,
    binary: false,
    fresh: isFresh(stat.ctimeMs, now),
  };
  walk.files.set(path, withContent(walk, path, seen));
}

/** Rules are taken when a first snapshot is made; the second one of a pair keeps to them, or a new rule would look like a deletion. */
function readRules(walk: Walk, prefix: string): void {
  const path = join(walk.root, prefix, ".gitignore");
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? Infinity;
  const bytes = size <= walk.limits.maxFileBytes ? readInTime(walk.limits, path, size) : null;
  if (bytes) walk.ignored = [...walk.ignored, readIgnoreRules(prefix, bytes.toString("utf8"))];
}

function entersFolder({ root, limits, ignored }: Walk, name: string, path: string): boolean {
  return !isIgnoredFolder(name) && join(root, path) !== limits.ownFolder && !ignoresFolder(path, ignored);
}

/** The folders to go on with. @throws the system's error */
function lookAtFolder(walk: Walk, prefix: string, keepsRules: boolean): string[] {
  const folder = join(walk.root, prefix);
  // A folder that became a link since it was listed may lead out of the workspace.
  if (prefix !== "" && realpathSync.native(folder) !== folder.replace(/[\\/]$/, "")) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  if (!keepsRules && entries.some((entry) => entry.name === ".gitignore")) readRules(walk, prefix);
  const below: string[] = [];
  for (const entry of entries) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      if (entersFolder(walk, entry.name, path)) below.push(`${path}/`);
    } else if (entry.isFile() && !isTemporaryName(entry.name)) {
      walk.complete &&= walk.files.size < walk.limits.maxFiles && performance.now() < walk.lookUntil;
      if (!walk.complete) return [];
      lookAtFile(walk, path);
    }
  }
  return below;
}

/**
 * Looks at all files below `root`, a real path. Links are left out, and so are folders a search leaves out or git ignores;
 * an ignored file outside of such a folder is looked at, since an `.env` is one that a person wants to know about.
 * @param previous an earlier snapshot, for what need not be read again
 * @param pairs whether this is to be compared with `previous`, so that both leave out the same folders
 */
export function takeSnapshot(
  root: string,
  limits: SnapshotLimits,
  previous?: TreeSnapshot,
  pairs = false,
): TreeSnapshot {
  const walk: Walk = {
    root,
    previous,
    limits,
    copyUntil: performance.now() + limits.maxCopyMs,
    lookUntil: performance.now() + limits.maxMs,
    files: new Map(),
    // The very same list, so that snapshots with the same rules are known by it; with `pairs` none is added.
    ignored: pairs && previous ? previous.ignored : [],
    bytesLeft: limits.maxTotalBytes,
    binaryBytesLeft: limits.maxBinaryBytes,
    complete: true,
  };
  const queue = [""];
  for (let at = 0; at < queue.length && walk.complete; at++) {
    try {
      queue.push(...lookAtFolder(walk, queue[at] ?? "", pairs));
    } catch {
      // A folder that vanished or may not be opened is left out; the rest is still worth having.
    }
  }
  const { files, ignored, complete } = walk;
  return { files, ignored, complete };
}

/** Whether the content is another one; without copies its time decides. */
export function hasOtherContent(before: SeenFile, after: SeenFile): boolean {
  if (before === after) return false;
  if (before.bytes && after.bytes) return !before.bytes.equals(after.bytes);
  return before.size !== after.size || before.modifiedAt !== after.modifiedAt || before.inode !== after.inode;
}

function differs(before: SeenFile, after: SeenFile): boolean {
  return before.mode !== after.mode || hasOtherContent(before, after);
}

/** What happened between two snapshots, by path. What an incomplete one cannot tell is left out. */
export function compareSnapshots(before: TreeSnapshot, after: TreeSnapshot): TreeChange[] {
  const changes: TreeChange[] = [];
  for (const [path, old] of before.files) {
    const now = after.files.get(path) ?? null;
    if (now ? differs(old, now) : after.complete) changes.push({ path, before: old, after: now });
  }
  if (before.complete)
    for (const [path, now] of after.files)
      if (!before.files.has(path)) changes.push({ path, before: null, after: now });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}
