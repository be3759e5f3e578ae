/** Works out from what a thread did to files, and from what is there now, which of them come back and which cannot. */
import { dirname } from "node:path";
import { isLink, isSameVersion, type MaybeFile, type Version } from "./version.ts";

/** What one step did to one file. */
export type StepFile = {
  readonly step: number;
  /** The real path. */
  readonly path: string;
  readonly before: MaybeFile;
  /** Whether the content before is kept; true for no file. */
  readonly kept: boolean;
  /** What the step left; `undefined` when the app ended before that was known. */
  readonly after: MaybeFile | undefined;
  /** What told, when the step ended, that the file was as it left it; see `markOf`. */
  readonly mark: string | null;
  /** It is outside of the workspace, or has a name that is no text, and is not brought back. */
  readonly fixed?: "outside" | "nameless";
};

/** All that steps did to one file, as one change. */
export type Wish = {
  readonly path: string;
  readonly to: MaybeFile;
  readonly kept: boolean;
  readonly from: MaybeFile | undefined;
  /** Something else changed it between two of the steps. */
  readonly mixed: boolean;
  readonly steps: readonly number[];
  readonly mark: string | null;
  readonly fixed: StepFile["fixed"];
};

/** What is at a path now. */
export type NowThere =
  | {
      readonly kind: "nothing" /** What is no folder where one of its folders would have to be. */;
      readonly below?: string;
    }
  | { readonly kind: "file"; readonly version: Version; readonly tooLarge: boolean }
  | { readonly kind: "link"; readonly version: Version }
  | { readonly kind: "other" };

/** Why a file stays as it is. */
export type Why =
  | "outside"
  | "nameless"
  | "link"
  | "not-known"
  | "not-kept"
  | "too-large"
  | "changed-since"
  | "in-the-way"
  | "holds-what-is-lost";

export type ComesBack = { readonly path: string; readonly from: MaybeFile; readonly to: MaybeFile };
export type Stays = { readonly path: string; readonly why: Why };
export type TakeBackPlan = { readonly back: readonly ComesBack[]; readonly stays: readonly Stays[] };

/** @param files of one thread, in the order of its steps */
export function joinSteps(files: readonly StepFile[]): Map<string, Wish> {
  const wishes = new Map<string, Wish>();
  for (const file of withoutFailed(files)) {
    const { path, step, before, kept, after, mark, fixed } = file;
    const known = wishes.get(path);
    if (known === undefined) {
      wishes.set(path, { path, to: before, kept, from: after, mixed: false, steps: [step], mark, fixed });
      continue;
    }
    const follows = known.from !== undefined && isSameVersion(known.from, before);
    wishes.set(path, {
      ...known,
      from: after,
      mark,
      mixed: known.mixed || !(follows || isSeenTwice(known, file)),
      steps: [...known.steps, step],
      fixed: known.fixed ?? fixed,
    });
  }
  return wishes;
}

/** A change whose end is not known did nothing where the next step finds what was there before it. */
function withoutFailed(files: readonly StepFile[]): StepFile[] {
  const next = new Map<string, StepFile>();
  const counted = files.toReversed().filter((file) => {
    const later = next.get(file.path);
    next.set(file.path, file);
    return !(file.after === undefined && later && isSameVersion(file.before, later.before));
  });
  return counted.reverse();
}

/** Commands that ran at the same time each list what changed meanwhile. */
function isSeenTwice(known: Wish, { before, after }: StepFile): boolean {
  const isSameEnd = after !== undefined && known.from !== undefined && isSameVersion(known.from, after);
  return isSameEnd && known.steps.length === 1 && isSameVersion(known.to, before);
}

function whyNot(wish: Wish, now: NowThere): Why | undefined {
  const { to, from, kept, mixed, fixed } = wish;
  if (fixed) return fixed;
  if (from === undefined) return "not-known";
  if (isLink(to) || (now.kind === "link" && isSameVersion(from, now.version))) return "link";
  if (mixed) return "changed-since";
  if (now.kind === "other" || now.kind === "link") return from === null ? "in-the-way" : "changed-since";
  if (now.kind === "file" && now.tooLarge) return "too-large";
  if (!isSameVersion(from, now.kind === "file" ? now.version : null)) return "changed-since";
  // Where only permissions changed, the content is there.
  return to !== null && !kept && to.hash !== from?.hash ? "not-kept" : undefined;
}

/**
 * A person's own edit is never in `back`: only a file that is as the thread left it comes back, and only where what it
 * was is kept. What is as it was already is in neither list.
 */
export function planTakeBack(wishes: ReadonlyMap<string, Wish>, now: (wish: Wish) => NowThere): TakeBackPlan {
  const back = new Map<string, ComesBack>();
  const stays = new Map<string, Why>();
  const below = new Map<string, string>();
  for (const wish of wishes.values()) {
    const there = now(wish);
    const version = there.kind === "file" || there.kind === "link" ? there.version : null;
    if (there.kind !== "other" && isSameVersion(wish.to, version)) continue;
    const why = whyNot(wish, there);
    if (why) stays.set(wish.path, why);
    else back.set(wish.path, { path: wish.path, from: version, to: wish.to });
    if (there.kind === "nothing" && there.below) below.set(wish.path, there.below);
  }
  keepWhatMayHoldLost(wishes, back, stays);
  keepBelowFiles(below, back, stays);
  keepBelowWhatComes(back, stays);
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  return {
    back: [...back.values()].sort(byPath),
    stays: [...stays].map(([path, why]) => ({ path, why })).sort(byPath),
  };
}

/** A command that removed what is not kept may have put its content into a file that it made: that one is not deleted. */
function keepWhatMayHoldLost(
  wishes: ReadonlyMap<string, Wish>,
  back: Map<string, ComesBack>,
  stays: Map<string, Why>,
): void {
  const lost = new Set<number>();
  for (const [path, why] of stays) {
    const wish = wishes.get(path);
    if (why === "not-kept" || why === "too-large") for (const step of wish?.steps ?? []) lost.add(step);
  }
  for (const { path, to } of [...back.values()])
    if (to === null && wishes.get(path)?.steps.some((step) => lost.has(step))) {
      back.delete(path);
      stays.set(path, "holds-what-is-lost");
    }
}

/** Where a file stands in the place of a folder, what was in there comes back only if that file goes. */
function keepBelowFiles(
  below: ReadonlyMap<string, string>,
  back: Map<string, ComesBack>,
  stays: Map<string, Why>,
): void {
  for (const [path, file] of below) {
    if (!back.has(path) || back.get(file)?.to === null) continue;
    back.delete(path);
    stays.set(path, "in-the-way");
  }
}

/** A file and what somebody put into a folder of its name later cannot both come back: the file does. */
function keepBelowWhatComes(back: Map<string, ComesBack>, stays: Map<string, Why>): void {
  const comes = (path: string): boolean => (back.get(path)?.to ?? null) !== null;
  const isBelow = (path: string): boolean => {
    const folder = dirname(path);
    return folder !== path && (comes(folder) || isBelow(folder));
  };
  for (const path of [...back.keys()])
    if (comes(path) && isBelow(path)) {
      back.delete(path);
      stays.set(path, "in-the-way");
    }
}

/** Every folder above a path up to the root, the nearest first. */
export function foldersAbove(root: string, path: string): string[] {
  const above: string[] = [];
  for (let folder = dirname(path); folder !== root && folder.length > root.length; folder = dirname(folder))
    above.push(folder);
  return above;
}
