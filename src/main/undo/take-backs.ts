/** Takes the files of a thread's turns back, shows beforehand what that does, and brings it all back again. */
import { createHash, randomUUID } from "node:crypto";
import type Database from "better-sqlite3";
import type { ThreadId, TurnId } from "../../shared/ids.ts";
import type { ChangeTracker } from "../files/change-tracker.ts";
import { StaleFileError } from "../files/file-error.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import { lookNow } from "./look-now.ts";
import { type ComesBack, joinSteps, planTakeBack, type Stays, type Wish } from "./plan-take-back.ts";
import { clearWayTo, inOrder, putVersion } from "./put-version.ts";
import type { PartlyKnown, StepJournal } from "./step-journal.ts";
import type { TakeBack, TakeBackStore } from "./take-back-store.ts";
import { isSameVersion, type MaybeFile } from "./version.ts";

export type TakeBackPreview = {
  readonly back: readonly ComesBack[];
  readonly stays: readonly Stays[];
  /** Calls that may have changed more than is known. */
  readonly partly: readonly PartlyKnown[];
  /** Binds what is done to what was shown. */
  readonly digest: string;
  /** What can be brought back again. */
  readonly last?: TakeBack;
};

/** Where a turn's files are. */
export type TurnPlace = { readonly threadId: ThreadId; readonly turnId: TurnId; readonly root: string };

export type TakeBacks = {
  preview(place: TurnPlace): Promise<TakeBackPreview>;
  /** @throws StaleFileError when it is not what was shown any more, or a file changed meanwhile: all is as before then */
  carryOut(place: TurnPlace, digest: string): Promise<TakeBack>;
  /** Brings the newest way back of the thread back. @throws as `carryOut` */
  reverse(threadId: ThreadId, id: string): Promise<TakeBack>;
  /** Finishes what an earlier host left in the middle, or undoes it where that cannot be. @returns what came of it */
  recover(): Promise<LeftTakeBack[]>;
  forget(threadId: ThreadId): Promise<void>;
};

/** `underway`: neither could be done, and the next start tries again. `left`: what somebody else changed meanwhile. */
export type LeftTakeBack = {
  readonly takeBack: TakeBack;
  readonly end: "finished" | "undone" | "underway";
  readonly left: readonly string[];
};

export type TakeBackParts = {
  database: Database.Database;
  journal: StepJournal;
  store: TakeBackStore;
  blobs: OriginalBlobs;
  tracker: Pick<ChangeTracker, "observe">;
  now(): number;
  /** Writes the lines about it, in the transaction that ends it. */
  onDone(takeBack: TakeBack, way: "forth" | "back"): void;
};

type Planned = Omit<TakeBackPreview, "last"> & { readonly firstStep: number; readonly lastStep: number };

function digestOf(place: TurnPlace, plan: Pick<TakeBackPreview, "back" | "stays" | "partly">): string {
  return createHash("sha256")
    .update(JSON.stringify([place, plan]))
    .digest("hex");
}

const reversed = (files: readonly ComesBack[]): ComesBack[] =>
  files.map(({ path, from, to }) => ({ path, from: to, to: from }));

/** @returns ways back that are gone one after the other, whatever thread they belong to */
export function createTakeBacks(parts: TakeBackParts): TakeBacks {
  const { journal, store, now } = parts;
  const inTurn = createQueue();

  async function plan(place: TurnPlace): Promise<Planned> {
    const { threadId, root } = place;
    const firstStep = journal.firstSince(threadId, place.turnId) ?? Number.MAX_SAFE_INTEGER;
    const files = journal.filesSince(threadId, firstStep);
    const partly = journal.partlyKnown(threadId, firstStep);
    const lastStep = journal.lastOf(threadId);
    const wishes = joinSteps(files);
    const there = await lookNow(root, wishes.values());
    const { back, stays } = planTakeBack(wishes, (wish: Wish) => there.get(wish.path)!);
    return { back, stays, partly, firstStep, lastStep, digest: digestOf(place, { back, stays, partly }) };
  }

  return {
    async preview(place) {
      const { back, stays, partly, digest } = await plan(place);
      return { back, stays, partly, digest, last: store.last(place.threadId) };
    },
    carryOut: (place, digest) =>
      inTurn(async () => {
        const { threadId, turnId, root } = place;
        const { firstStep, lastStep, back: files, digest: current } = await plan(place);
        if (current !== digest || files.length === 0)
          throw new StaleFileError(root, "is not as it was when this was shown");
        await keepContents(parts, root, files);
        const what = { root, turnId, firstStep, lastStep, files };
        const takeBack: TakeBack = { id: randomUUID(), threadId, at: now(), state: "forth", what };
        store.add(takeBack);
        await go(parts, takeBack, "forth");
        return takeBack;
      }),
    reverse: (threadId, id) =>
      inTurn(async () => {
        const takeBack = store.last(threadId);
        if (takeBack?.id !== id) throw new StaleFileError(threadId, "has another way back by now");
        await keepContents(parts, takeBack.what.root, reversed(takeBack.what.files));
        store.setState(id, "back");
        await go(parts, takeBack, "back");
        return takeBack;
      }),
    recover: () =>
      inTurn(async () => {
        const ends: LeftTakeBack[] = [];
        for (const takeBack of store.underway()) {
          const way = takeBack.state === "back" ? "back" : "forth";
          const left: string[] = [];
          const finished = await go(parts, takeBack, way, left).then(
            () => true,
            () => false,
          );
          const isUnderway = () => store.underway().some(({ id }) => id === takeBack.id);
          ends.push({ takeBack, end: finished ? "finished" : isUnderway() ? "underway" : "undone", left });
        }
        return ends;
      }),
    forget: (threadId) =>
      inTurn(async () => {
        const hashes = new Set(journal.forget(threadId));
        for (const { id, what } of store.ofThread(threadId)) {
          for (const { from, to } of what.files) for (const one of [from, to]) if (one) hashes.add(one.hash);
          store.remove(id);
        }
        for (const hash of hashes) await parts.blobs.delete(hash);
      }),
  };
}

/** What is about to go is kept, and what is to come is there: else nothing moves. */
async function keepContents(
  { blobs }: TakeBackParts,
  root: string,
  files: readonly ComesBack[],
): Promise<void> {
  const workspace = createWorkspaceFiles(root);
  for (const { path, from, to } of files) {
    if (from && from.hash !== to?.hash) {
      const hash = await blobs.put((await workspace.readRaw(path)).bytes);
      if (hash !== from.hash) throw new StaleFileError(path, "was changed meanwhile");
    }
    if (to && to.hash !== from?.hash && (await blobs.get(to.hash)) === null)
      throw new StaleFileError(path, "cannot come back, since what it was is not kept any more");
  }
}

/**
 * Moves all files one way. What is there already is passed over, so that it can be gone twice. Where one file cannot
 * move, all go the other way again.
 * @param left the files that were neither as before nor as after when all went the other way: those are somebody's own
 */
async function go(
  parts: TakeBackParts,
  takeBack: TakeBack,
  way: "forth" | "back",
  left: string[] = [],
): Promise<void> {
  const { database, journal, store, onDone } = parts;
  const { id, threadId, what } = takeBack;
  const files = way === "forth" ? what.files : reversed(what.files);
  try {
    await moveAll(parts, takeBack, files, (path) => {
      throw new StaleFileError(path, "was changed meanwhile");
    });
  } catch (cause) {
    await moveAll(parts, takeBack, reversed(files), (path) => void left.push(path));
    if (way === "forth") store.remove(id);
    else store.setState(id, "done");
    throw cause;
  }
  database.transaction(() => {
    onDone(takeBack, way);
    if (way === "forth") {
      journal.takeBack(threadId, what.firstStep, what.lastStep, id);
      store.setState(id, "done");
    } else {
      journal.bringBack(id);
      store.remove(id);
    }
  })();
}

async function moveAll(
  { blobs, tracker }: TakeBackParts,
  { threadId, what: { root } }: TakeBack,
  files: readonly ComesBack[],
  onForeign: (path: string) => void,
): Promise<void> {
  const putter = { files: createWorkspaceFiles(root), blobs, observer: tracker.observe(threadId, root) };
  const wanted = new Set(files.flatMap(({ path, to }) => (to ? [path] : [])));
  for (const file of inOrder(files)) {
    const there = await versionAt(root, file);
    if (!isSameVersion(there, file.to)) {
      if (!isSameVersion(there, file.from)) onForeign(file.path);
      else await putVersion(putter, file);
    }
    if (file.to === null) await clearWayTo(root, file.path, wanted);
  }
}

/** Of what is no file, a version that is none of those known. */
async function versionAt(root: string, { path, from, to }: ComesBack): Promise<MaybeFile> {
  const wish = { path, to, from, kept: true, mixed: false, steps: [], mark: null, fixed: undefined };
  const there = (await lookNow(root, [wish])).get(path);
  if (there?.kind === "file") return there.version;
  return there?.kind === "nothing" ? null : { hash: "", mode: null };
}

/** One after the other: two ways back over the same files would each see half of the other. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(act: () => Promise<T>): Promise<T> => {
    const mine = last.then(act, act);
    last = mine.catch(() => {});
    return mine;
  };
}
