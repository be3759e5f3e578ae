/** Notes of each look at a workspace what it found to be another, so that what happened since any of them can be told. */
import type { SeenFile } from "./tree-snapshot.ts";

/** What files were until a look found them to be others; null where there was none. */
export type Earlier = Map<string, SeenFile | null>;

export type Look = {
  /** The looks of one log are counted. */
  readonly number: number;
  /** When it began, in ms since 1970. */
  readonly at: number;
  readonly complete: boolean;
  readonly earlier: ReadonlyMap<string, SeenFile | null>;
};

export type LookLog = {
  add(look: Omit<Look, "number">): Look;
  newest(): Look;
  /** The newest look that began then. */
  between(from: number, to: number): Look | undefined;
  /** What was another at that look than it is at the newest, as it was then; it may be the same again. */
  since(look: Look): Earlier;
  /** Forgets what only looks other than the last few and those with these numbers would need. */
  forgetAllBut(numbers: ReadonlySet<number>): void;
};

/** So many looks can still be shared; a command shares one that is at most a second old. */
const lastLooks = 16;

/** Adds what is not known yet: of two versions that a file had, the older one counts. */
export function addOlder(older: Earlier, newer: Look["earlier"]): void {
  for (const [path, seen] of newer) if (!older.has(path)) older.set(path, seen);
}

/** @param first the look at everything that the log begins with */
export function createLookLog(first: Pick<Look, "at" | "complete">): LookLog {
  let newest: Look = { ...first, number: 1, earlier: new Map() };
  let looks = [newest];
  return {
    add(look) {
      newest = { ...look, number: newest.number + 1 };
      looks.push(newest);
      return newest;
    },
    newest: () => newest,
    between: (from, to) => looks.findLast(({ at }) => at >= from && at <= to),
    since(look) {
      const earlier: Earlier = new Map();
      for (const one of looks) if (one.number > look.number) addOlder(earlier, one.earlier);
      return earlier;
    },
    forgetAllBut(numbers) {
      const kept: Look[] = [];
      let carried: Earlier = new Map();
      for (const [index, look] of looks.entries()) {
        const isKept = index >= looks.length - lastLooks || numbers.has(look.number);
        addOlder(carried, look.earlier);
        if (isKept) kept.push({ ...look, earlier: carried });
        if (isKept || kept.length === 0) carried = new Map();
      }
      looks = kept;
    },
  };
}
