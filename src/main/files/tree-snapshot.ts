/**
 * Looks at every file of a workspace, with a copy of the small text files, so that two looks tell what changed between.
 *
 * Copies are taken from the working files and not from git, because a copy is the same for every folder, holds what was
 * never committed, and asks nothing of a repository's own configuration. A file whose stat is as it was is not read
 * again. Everything here is synchronous: it runs in a thread of its own, where that is many times faster.
 */
import { type Dirent, lstatSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type FileBeingRead, tellFile } from "./file-being-read.ts";
import { type FileTimes, isFresh, timesOf } from "./file-mark.ts";
import { type IgnoreRules, ignoresFolder, readIgnoreRules } from "./ignore-rules.ts";
import { readLinkAt, statAt } from "./nameless.ts";
import { isTemporaryName } from "./put-file.ts";
import { readEntries } from "./read-entries.ts";
import { readWhole } from "./read-whole.ts";
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
  /** Told of each folder before it is read, as in `folders` of the walk: what happens to it from then on can be heard. */
  readonly onFolder?: (prefix: string) => void;
};

/** One file or link at one moment. */
export type SeenFile = FileTimes & {
  readonly mode: number;
  /** The content, of a link what it says; null when there is no copy. */
  readonly bytes: Buffer | null;
  readonly binary: boolean;
  /** It was altered so shortly before that a later change may leave the same times. */
  readonly fresh: boolean;
  /** It has other names too, so it may change by one of them, wherever that is. */
  readonly linked: boolean;
  /** It is a link, which is followed nowhere. */
  readonly isLink: boolean;
};

/** Files and links by path from the workspace, with `/`. */
export type TreeSnapshot = {
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly ignored: readonly IgnoreRules[];
  /** False when a limit ended the walk, so a file that is not in it may exist. */
  readonly complete: boolean;
};

const binaryProbeBytes = 8_000;

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

/** Reads what has not hung before, and lets whoever waits for the look know what it is at. */
function readInTime({ hanging, beingRead }: SnapshotLimits, path: string, size: number): Buffer | null {
  if (hanging?.includes(path)) return null;
  if (beingRead) tellFile(beingRead, path);
  const bytes = readWhole(path, size);
  if (beingRead) tellFile(beingRead, "");
  return bytes;
}

/** Whether nothing tells that it was changed in between. */
export function isSame(one: SeenFile, other: SeenFile): boolean {
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
  const unmoved = known && !known.fresh && isSame(known, seen) ? known : undefined;
  if (unmoved?.bytes) spend(walk, unmoved.bytes.length, unmoved.binary);
  if (unmoved?.bytes || unmoved?.binary) return unmoved;
  const tooLarge = seen.size > Math.min(limits.maxFileBytes, walk.bytesLeft);
  if (tooLarge || performance.now() > walk.copyUntil) return unmoved ?? seen;
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

/** Whether there is room for more, of files or of time; once there is none the walk ends. */
function goesOn(walk: Walk): boolean {
  walk.complete &&= walk.files.size < walk.limits.maxFiles && performance.now() < walk.lookUntil;
  return walk.complete;
}

function lookAtFile(walk: Walk, path: string): void {
  if (!goesOn(walk)) return;
  const now = Date.now();
  const stat = statAt(join(walk.root, path));
  if (!stat || !isListed(stat)) return;
  const isLink = stat.isSymbolicLink();
  const seen: SeenFile = {
    ...timesOf(stat),
    mode: stat.mode & 0o7777,
    bytes: isLink ? readLink(join(walk.root, path)) : null,
    binary: false,
    fresh: isFresh(stat.ctimeMs, now),
    linked: stat.nlink > 1,
    isLink,
  };
  if (!isLink) walk.files.set(path, withContent(walk, path, seen));
  else if (seen.bytes) {
    spend(walk, seen.bytes.length, false);
    walk.files.set(path, seen);
  }
}

/** What a link says; null where something else took its place since it was looked at, which is found by the next look. */
function readLink(path: string): Buffer | null {
  try {
    return readLinkAt(path);
  } catch {
    return null;
  }
}

const isListed = (entry: Stats | Dirent): boolean => entry.isFile() || entry.isSymbolicLink();

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

/** Whether no link stands in the folder's way. @throws the system's error where it is gone */
function isItself({ root }: Walk, prefix: string): boolean {
  const folder = join(root, prefix);
  return prefix === "" || realpathSync.native(folder) === folder.replace(/[\\/]$/, "");
}

/** The folders to go on with. @throws the system's error */
function lookAtFolder(walk: Walk, prefix: string, keepsRules: boolean): string[] {
  if (performance.now() > walk.lookUntil) {
    walk.complete = false;
    return [];
  }
  const folder = join(walk.root, prefix);
  walk.limits.onFolder?.(prefix);
  // A folder that became a link since it was listed may lead out of the workspace.
  if (!isItself(walk, prefix)) return [];
  if (!keepsRules) readRules(walk, prefix);
  const below: string[] = [];
  for (const entry of readEntries(folder)) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      if (entersFolder(walk, entry.name, path)) below.push(`${path}/`);
    } else if (isListed(entry) && !isTemporaryName(entry.name)) {
      lookAtFile(walk, path);
      if (!walk.complete) return [];
    }
  }
  return below;
}

/** Looks at what is at one path now. @returns the folder to go on with, where it is one; @throws the system's error */
function lookAtPath(walk: Walk, path: string): string[] {
  const parent = dirname(path);
  if (!isItself(walk, parent === "." ? "" : `${parent}/`)) return [];
  const stat = statAt(join(walk.root, path));
  if (stat?.isDirectory()) return entersFolder(walk, basename(path), path) ? [`${path}/`] : [];
  if (stat && isListed(stat) && !isTemporaryName(basename(path))) lookAtFile(walk, path);
  return [];
}

/** What `act` tells, or nothing where it fails: what vanished or may not be opened is left out, the rest is still worth having. */
function unlessGone(act: () => string[]): string[] {
  try {
    return act();
  } catch {
    return [];
  }
}

/**
 * Looks at all files below `root`, a real path, and at links as what they say. Folders a search leaves out or git ignores are left out;
 * an ignored file outside of such a folder is looked at, since an `.env` is one that a person wants to know about.
 * @param previous an earlier snapshot, for what need not be read again
 * @param pairs whether this is to be compared with `previous`, so that both leave out the same folders
 * @param paths what alone to look at, each file and all below each folder, where the rest is known; the limits are then
 * those of what is looked at
 */
export function takeSnapshot(
  root: string,
  limits: SnapshotLimits,
  previous?: TreeSnapshot,
  pairs = false,
  paths?: readonly string[],
): TreeSnapshot {
  const steps = takeInSteps(root, limits, previous, pairs, paths);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same, a folder at a time. */
export function* takeInSteps(
  root: string,
  limits: SnapshotLimits,
  previous?: TreeSnapshot,
  pairs = false,
  paths?: readonly string[],
): Generator<undefined, TreeSnapshot> {
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
  const queue = paths ? paths.flatMap((path) => unlessGone(() => lookAtPath(walk, path))) : [""];
  for (let at = 0; at < queue.length && walk.complete; at++) {
    queue.push(...unlessGone(() => lookAtFolder(walk, queue[at] ?? "", pairs)));
    yield;
  }
  const { files, ignored, complete } = walk;
  return { files, ignored, complete };
}
