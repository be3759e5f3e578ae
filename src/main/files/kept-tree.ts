/**
 * What is known of a workspace from one look to the next, so that a look costs what changed and not what is there.
 *
 * Where every folder can be watched, a look goes to what was touched since the one before, and to files with more names
 * than one. In every other case, and whenever something may not have been heard, it goes to everything. Each look notes what
 * the files it found changed were until then, so what happened since an earlier look is read off those notes.
 */
import { lstatSync } from "node:fs";
import { basename } from "node:path/posix";
import { compareSnapshots, type TreeChange } from "./compare-snapshots.ts";
import type { FileEvents } from "./file-events.ts";
import { addOlder, createLookLog, type Earlier, type Look, type LookLog } from "./look-log.ts";
import { createTouchedPaths, type TouchedPaths } from "./touched-paths.ts";
import {
  isSame,
  type SeenFile,
  type SnapshotLimits,
  type TreeSnapshot,
  takeSnapshot,
} from "./tree-snapshot.ts";
import { isWatchable, readMounts } from "./watchable.ts";

export type KeptLimits = SnapshotLimits & {
  /** So many files are looked at in a workspace that is watched, since that is seldom done. */
  readonly maxWatchedFiles: number;
};

/** Beyond these, a look at everything is as cheap. */
const maxLinked = 500;
const maxMovedFolders = 32;

export class KeptTree {
  readonly root: string;
  readonly looks: LookLog;
  readonly #limits: KeptLimits;
  #snapshot: TreeSnapshot & { readonly files: Map<string, SeenFile> } = {
    files: new Map(),
    ignored: [],
    complete: true,
  };
  #textLeft: number;
  #binaryLeft: number;
  readonly #linked = new Set<string>();
  #touched: TouchedPaths | null;
  #mounts: string;
  #folder: string;

  /**
   * Looks at everything once.
   * @param root a real path
   * @param events null where nothing can be heard
   * @param at when that was begun, in ms since 1970
   * @param known what need not be read again
   */
  constructor(root: string, limits: KeptLimits, events: FileEvents | null, at: number, known?: TreeSnapshot) {
    this.root = root;
    this.#limits = limits;
    this.#textLeft = limits.maxTotalBytes;
    this.#binaryLeft = limits.maxBinaryBytes;
    this.#folder = folderAt(root);
    this.#mounts = events ? readMounts() : "";
    this.#touched = events && isWatchable(root, this.#mounts) ? createTouchedPaths(root, events) : null;
    this.#add(this.#find(known, false));
    this.looks = createLookLog({ at, complete: this.#snapshot.complete });
  }

  get snapshot(): TreeSnapshot {
    return this.#snapshot;
  }

  /** Whether the next look need not go to everything. */
  get isWatched(): boolean {
    return this.#touched !== null;
  }

  /** To be taken when all that happened before has been heard. @param at when it was begun, in ms since 1970 */
  look(at: number): Look {
    const paths = this.#toLookAt();
    const earlier = this.#lookAt(paths);
    if (paths) {
      addOlder(earlier, this.#lookAt(this.#otherNames(earlier)));
      // By other rules of what git ignores it is another list, so this look is the last of those that can be compared.
      if ([...earlier.keys()].some((path) => basename(path) === ".gitignore")) {
        addOlder(earlier, this.#lookAt(null));
        this.stopWatching();
      }
    }
    return this.looks.add({ at, complete: this.#snapshot.complete, earlier });
  }

  /** What happened between that look and the newest. */
  changesSince(look: Look): TreeChange[] {
    const [before, after] = [new Map<string, SeenFile>(), new Map<string, SeenFile>()];
    for (const [path, seen] of this.looks.since(look)) {
      if (seen) before.set(path, seen);
      const now = this.#snapshot.files.get(path);
      if (now) after.set(path, now);
    }
    return compareSnapshots(
      { files: before, complete: look.complete },
      { files: after, complete: this.#snapshot.complete },
    );
  }

  /** Takes over copies of files that are as they are known, and of which there was no time to take one. */
  takeCopies(files: TreeSnapshot["files"]): void {
    for (const [path, seen] of files) {
      const known = this.#snapshot.files.get(path);
      if (known && !known.bytes && seen.bytes && isSame(known, seen)) this.#put(path, seen);
    }
  }

  /** Watches nothing any more; each further look goes to everything. */
  stopWatching(): void {
    this.#touched?.close();
    this.#touched = null;
  }

  /** Null stands for everything. */
  #toLookAt(): readonly string[] | null {
    if (!this.#touched) return null;
    const paths = this.#touched.take();
    // When a folder above it was renamed, nothing in it tells so.
    const folder = folderAt(this.root);
    if (folder !== this.#folder) {
      this.#folder = folder;
      return null;
    }
    const mounts = readMounts();
    if (mounts !== this.#mounts) {
      this.#mounts = mounts;
      if (!isWatchable(this.root, mounts)) this.stopWatching();
      return null;
    }
    return paths && [...paths, ...this.#linked];
  }

  #lookAt(asked: readonly string[] | null): Earlier {
    const folders = asked && outermost(asked.filter((path) => this.#touched?.isFolder(path)));
    const paths = folders && folders.length > maxMovedFolders ? null : asked;
    const known = this.#takeOut(paths, paths && folders ? folders : [""]);
    const found = this.#find({ ...this.#snapshot, files: known }, true, paths ?? undefined);
    const earlier: Earlier = new Map();
    for (const [path, seen] of known) if (found.files.get(path) !== seen) earlier.set(path, seen);
    for (const path of found.files.keys()) if (!known.has(path)) earlier.set(path, null);
    this.#add(found);
    return earlier;
  }

  /** What was heard of one name of a file holds for all; of those that have more than one from now on, the others. */
  #otherNames(earlier: Earlier): string[] {
    const inodes = new Set<number>();
    for (const [path, old] of earlier) {
      const now = this.#snapshot.files.get(path);
      if (now?.linked && !(old?.linked && old.inode === now.inode)) inodes.add(now.inode);
    }
    if (inodes.size === 0) return [];
    return [...this.#snapshot.files].flatMap(([path, { inode }]) =>
      inodes.has(inode) && !this.#linked.has(path) ? path : [],
    );
  }

  /** Knows nothing any more of these paths, and of what is below these folders. @returns what was known */
  #takeOut(paths: readonly string[] | null, folders: readonly string[]): Map<string, SeenFile> {
    this.#touched?.drop(folders);
    const { files } = this.#snapshot;
    const known = new Map<string, SeenFile>();
    for (const path of paths ?? []) {
      const seen = files.get(path);
      if (seen) known.set(path, seen);
    }
    if (folders.length > 0)
      for (const [path, seen] of files)
        if (folders.some((folder) => path.startsWith(folder))) known.set(path, seen);
    for (const path of known.keys()) this.#put(path, null);
    return known;
  }

  #find(known: TreeSnapshot | undefined, pairs: boolean, paths?: readonly string[]): TreeSnapshot {
    const { maxFiles, maxWatchedFiles } = this.#limits;
    const found = takeSnapshot(
      this.root,
      {
        ...this.#limits,
        maxFiles: (this.#touched ? maxWatchedFiles : maxFiles) - this.#snapshot.files.size,
        maxTotalBytes: this.#textLeft,
        maxBinaryBytes: this.#binaryLeft,
        onFolder: (prefix) => this.#touched?.add(prefix),
      },
      known,
      pairs,
      paths,
    );
    if (!found.complete || this.#touched?.isWhole() === false) this.stopWatching();
    return found;
  }

  /** Knows what was found. */
  #add({ files, ignored, complete }: TreeSnapshot): void {
    for (const [path, seen] of files) this.#put(path, seen);
    if (this.#linked.size > maxLinked) this.stopWatching();
    this.#snapshot = { files: this.#snapshot.files, ignored, complete };
  }

  #put(path: string, seen: SeenFile | null): void {
    const { files } = this.#snapshot;
    this.#spend(files.get(path), -1);
    this.#spend(seen, 1);
    if (seen) files.set(path, seen);
    else files.delete(path);
    if (seen?.linked) this.#linked.add(path);
    else this.#linked.delete(path);
  }

  #spend(seen: SeenFile | null | undefined, sign: 1 | -1): void {
    const bytes = sign * (seen?.bytes?.length ?? 0);
    if (seen?.binary) this.#binaryLeft -= bytes;
    else this.#textLeft -= bytes;
  }
}

/** Which folder has a path now; empty where none has. */
function folderAt(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : "";
}

/** The folders, with a `/` at the end, that are not below another of them. */
function outermost(paths: readonly string[]): string[] {
  const folders: string[] = [];
  for (const folder of paths.map((path) => `${path}/`).sort())
    if (!folder.startsWith(folders.at(-1) ?? "\0")) folders.push(folder);
  return folders;
}
