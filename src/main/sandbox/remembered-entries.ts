/** What is read in folders that hardly ever change, read anew only when something came or went: each confined command asks about some thousand of them. */
import { type BigIntStats, type Dirent, readdirSync, statSync } from "node:fs";

/** A name that comes within the same tick of a disk's clock changes no time that is told apart. */
const settledMs = 2_000;
/** Folders, and what was read in them: some megabytes. */
const mostRemembered = 50_000;

type Read<T> = (entries: readonly Dirent[], folder: string) => readonly T[];
/** What tells a folder from what it was, and what each reader found in it; of the entries only what one asks for is kept. */
type Known = { readonly mark: Mark | undefined; readonly found: Map<Read<unknown>, readonly unknown[]> };
type Mark = Pick<BigIntStats, "dev" | "ino" | "mtimeNs" | "ctimeNs">;

const remembered = new Map<string, Known>();
let kept = 0;

function lookAt(folder: string): BigIntStats | undefined {
  try {
    return statSync(folder, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A folder as it is at one time. */
type Look = { known: Known; isSettled: boolean; entries: readonly Dirent[] | undefined };

/** All that was looked at, as it was at the first time. */
export type WholeLook = {
  readonly folders: Map<string, Look>;
  readonly found: Map<object, Map<string, unknown>>;
};

let looked: WholeLook | undefined;

/** A look that has not looked at anything yet. */
export const newLook = (): WholeLook => ({ folders: new Map(), found: new Map() });

/**
 * Whatever asks for entries while this goes on, and waits for nothing, is told them as they were at the first time.
 * @param look an earlier one, to go on with
 */
export function inOneLook<T>(act: () => T, look = newLook()): T {
  if (looked !== undefined) return act();
  looked = look;
  try {
    return act();
  } finally {
    looked = undefined;
  }
}

/** @param find what goes through a workspace, by entries alone or what else does not change within one look */
export function oncePerLook<T>(find: (workspace: string) => T): (workspace: string) => T {
  return (workspace) => {
    if (looked === undefined) return find(workspace);
    const known = looked.found.get(find) ?? new Map<string, unknown>();
    looked.found.set(find, known);
    if (!known.has(workspace)) known.set(workspace, find(workspace));
    return known.get(workspace) as T;
  };
}

function lookInto(folder: string): Look {
  const mark = lookAt(folder);
  if (!mark?.isDirectory())
    return { known: { mark: undefined, found: new Map() }, isSettled: false, entries: [] };
  const known = remembered.get(folder);
  if (known !== undefined && isSame(known.mark, mark)) return { known, isSettled: true, entries: undefined };
  const isSettled = Date.now() - Number(mark.ctimeNs / 1_000_000n) > settledMs;
  const { dev, ino, mtimeNs, ctimeNs } = mark;
  return { known: { mark: { dev, ino, mtimeNs, ctimeNs }, found: new Map() }, isSettled, entries: undefined };
}

const isSame = (one: Mark | undefined, other: Mark) =>
  one?.ctimeNs === other.ctimeNs &&
  one.mtimeNs === other.mtimeNs &&
  one.ino === other.ino &&
  one.dev === other.dev;

function remember(folder: string, known: Known, length: number): void {
  const cost = length + (remembered.get(folder) === known ? 0 : 1);
  if (kept + cost > mostRemembered) {
    remembered.clear();
    kept = 0;
  }
  remembered.set(folder, known);
  kept += cost;
}

/** @returns what is read in the entries of a folder, links to it followed; from memory where it is as it was */
export function fromEntries<T>(read: Read<T>): (folder: string) => readonly T[] {
  return (folder) => {
    let look = looked?.folders.get(folder);
    if (look === undefined) {
      look = lookInto(folder);
      looked?.folders.set(folder, look);
    }
    const before = look.known.found.get(read);
    if (before !== undefined) return before as readonly T[];
    // It was looked at before it is read, so that what comes meanwhile changes its mark.
    look.entries ??= entriesOf(folder);
    const found = read(look.entries, folder);
    look.known.found.set(read, found);
    if (look.isSettled) remember(folder, look.known, found.length);
    return found;
  };
}

/** As `entriesOf`, from memory where the folder is as it was. */
export const rememberedEntries = fromEntries((entries) => entries);

/** What is in a folder, and nothing of one that nobody may read: a command can make such. */
export function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
