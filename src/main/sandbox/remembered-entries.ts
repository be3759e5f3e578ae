/** What is in folders that hardly ever change, read anew only when something came or went: each confined command asks about a hundred of them. */
import { type BigIntStats, type Dirent, readdirSync, statSync } from "node:fs";

/** A name that comes within the same tick of a disk's clock changes no time that is told apart. */
const settledMs = 2_000;
/** Of all folders together: some megabytes. */
const mostEntries = 50_000;

const remembered = new Map<string, { mark: string; entries: readonly Dirent[] }>();
let kept = 0;

function lookAt(folder: string): BigIntStats | undefined {
  try {
    return statSync(folder, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

let looked: Map<string, readonly Dirent[]> | undefined;

/** Whatever asks for entries while this goes on, and waits for nothing, is told them as they were at the first time. */
export function inOneLook<T>(act: () => T): T {
  if (looked !== undefined) return act();
  looked = new Map();
  try {
    return act();
  } finally {
    looked = undefined;
  }
}

/** As `entriesOf`, from memory where the folder is as it was. @param folder links are followed */
export function rememberedEntries(folder: string): readonly Dirent[] {
  const entries = looked?.get(folder) ?? readUnlessKnown(folder);
  looked?.set(folder, entries);
  return entries;
}

function readUnlessKnown(folder: string): readonly Dirent[] {
  const found = lookAt(folder);
  if (!found?.isDirectory()) return [];
  const mark = [found.dev, found.ino, found.mtimeNs, found.ctimeNs].join(" ");
  const known = remembered.get(folder);
  if (known?.mark === mark) return known.entries;
  const entries = entriesOf(folder);
  // Looked at before it was read, so that what comes meanwhile changes its mark.
  const isSettled = Date.now() - Number(found.ctimeMs) > settledMs;
  if (isSettled) remember(folder, mark, entries);
  return entries;
}

function remember(folder: string, mark: string, entries: readonly Dirent[]): void {
  const cost = entries.length + 1;
  if (kept + cost > mostEntries) {
    remembered.clear();
    kept = 0;
  }
  remembered.set(folder, { mark, entries });
  kept += cost;
}

/** What is read in the entries of a folder, once for each reading of them. */
export function fromEntries<T>(read: (entries: readonly Dirent[], folder: string) => T) {
  const known = new WeakMap<readonly Dirent[], { value: T }>();
  return (folder: string): T => {
    const entries = rememberedEntries(folder);
    const found = known.get(entries) ?? { value: read(entries, folder) };
    known.set(entries, found);
    return found.value;
  };
}

/** What is in a folder, and nothing of one that nobody may read: a command can make such. */
export function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
