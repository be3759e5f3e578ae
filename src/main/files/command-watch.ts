/**
 * Finds out what a command changed by looking at the workspace before it and after it; commands that run at the same
 * time share their looks.
 *
 * A command cannot be asked what it will do, and watching the file system while it runs loses events under load, so
 * two looks are compared. What it changed so far is looked at in between where another thread may write the same files.
 * What a background process does after its command ended belongs to no command, and what a person or another command did
 * meanwhile cannot be told apart from it, so a change is listed for each thread whose command ran at the time. What the
 * app itself changed, for any thread, is known and left out.
 */
import { realpathSync } from "node:fs";
import { wallClock } from "../base/wall-clock.ts";
import type { OwnChanges } from "./change-memory.ts";
import type { ChangeTracker } from "./change-tracker.ts";
import { createRunningLooks, type WhileRunning } from "./running-looks.ts";
import type { FoundChange, SnapshotAnswer } from "./snapshot-messages.ts";
import { createSnapshotThread } from "./snapshot-thread.ts";

/** The app changed nothing that a later look could take for a command's. */
const nothingOwn: OwnChanges = { byPath: new Map(), end: () => undefined };

/**
 * Hears what a command changed: when it ended, and once more if some of that is found later.
 * @param whole whether that is all there is
 * @returns false where nobody knows of the command any more
 */
export type OnFound = (changes: readonly FoundChange[], whole: boolean) => Promise<boolean>;

/** Who hears of a command's changes; of none when they could not be looked for. */
export type CommandNotes = { readonly found: OnFound; readonly whileRunning?: WhileRunning };

export type CommandWatch = {
  /**
   * Runs `act` and adds what changed in `root`, a real path, to the changed files of the thread. Whatever becomes of
   * the watching, `act` runs once and its result or error is handed on.
   * @param notes hears of those changes as well
   */
  around<T>(threadId: string, root: string, act: () => Promise<T>, notes?: CommandNotes): Promise<T>;
  /** Looks already, since a command in `root` is about to begin; `around` then need not wait. Resolves when it was done. */
  lookAhead(root: string): Promise<void>;
  close(): Promise<void>;
};

/** What a look may be old at most to begin with it; a person may have changed a file since. */
const sharedLookMs = 1_000;
const limitMs = 15_000;
const idleMs = 600_000;

type Ended = { readonly onFound: OnFound | undefined; readonly whole: boolean };

/** Adds what is found once a folder is quiet to the last command of each thread that ran there since the time before. */
function createLateFinds(tracker: Pick<ChangeTracker, "addFound" | "noteIncomplete">) {
  const ended = new Map<string, Map<string, Ended>>();
  return {
    note: (threadId: string, root: string, command: Ended) =>
      void ended.set(root, (ended.get(root) ?? new Map<string, Ended>()).set(threadId, command)),
    async add({ root, complete, changes }: SnapshotAnswer) {
      const commands = [...(ended.get(root) ?? [])];
      ended.delete(root);
      if (changes.length === 0) return;
      for (const [threadId, { onFound, whole }] of commands) {
        if ((await onFound?.(changes, whole && complete)) === false) continue;
        if (!complete) await tracker.noteIncomplete(threadId);
        await tracker.addFound(threadId, root, changes, nothingOwn);
      }
    },
    clear: () => ended.clear(),
  };
}

/**
 * @param ownFolder where the app keeps its data, which is left out of every workspace
 * @param logError told of what went wrong beside the command
 */
export function createCommandWatch(
  tracker: Pick<ChangeTracker, "gatherOwn" | "lastOwnAt" | "addFound" | "noteIncomplete">,
  ownFolder: string,
  logError: (error: unknown) => void,
): CommandWatch {
  let watches = 0;
  /** When the newest look that is known to have been taken began, by workspace. */
  const looked = new Map<string, number>();
  const late = createLateFinds(tracker);
  const thread = createSnapshotThread({
    ownFolder: realpathSync.native(ownFolder),
    limitMs,
    idleMs,
    onAnswer: ({ root, lookedAt }) => void looked.set(root, Math.max(lookedAt, looked.get(root) ?? 0)),
    onLate: (answer) => void late.add(answer).catch(logError),
    onRelease() {
      looked.clear();
      late.clear();
    },
  });
  /** Watches that last, with when they began, by workspace. */
  const lasting = new Map<string, Map<number, number>>();
  /** When the newest command was announced, by workspace. */
  const announced = new Map<string, number>();
  /** What changed while another command ran cannot be told from what that one did, so its looks are as good as a new one. */
  const oldestUseful = (root: string, from: number) => {
    const begun = Math.min(from, ...(lasting.get(root)?.values() ?? []));
    return Math.max(wallClock() - sharedLookMs, tracker.lastOwnAt(), begun);
  };
  const before = async (watch: number, root: string) => {
    const at = wallClock();
    const notBefore = oldestUseful(root, Math.min(at, announced.get(root) ?? at));
    lasting.set(root, (lasting.get(root) ?? new Map<number, number>()).set(watch, at));
    const look = thread.ask({ kind: "before", watch, root, at, notBefore });
    thread.hearNow();
    // The command need not wait for a look that is there already.
    if ((looked.get(root) ?? 0) < notBefore) await look;
  };
  const looks = createRunningLooks(thread.ask, logError);
  const collect = async (threadId: string, root: string, watch: number, own: OwnChanges, tell?: OnFound) => {
    const found = await thread.ask({ kind: "after", watch, at: wallClock() });
    if (!found?.complete) await tracker.noteIncomplete(threadId);
    const changes = found ? await tracker.addFound(threadId, root, found.changes, own) : [];
    const whole = found?.complete ?? false;
    await tell?.(changes, whole);
    late.note(threadId, root, { onFound: tell, whole });
  };
  return {
    async around(threadId, root, act, notes) {
      watches += 1;
      const watch = watches;
      const own = tracker.gatherOwn();
      try {
        const begun = before(watch, root);
        // What others wrote until now is theirs alone; afterwards nobody can tell who wrote what.
        looks.askNow(root);
        if (notes?.whileRunning) looks.begin(watch, { root, own, ...notes.whileRunning });
        await begun;
        return await act();
      } finally {
        looks.end(watch);
        await collect(threadId, root, watch, own, notes?.found).catch(logError);
        notes?.whileRunning?.end();
        own.end();
        lasting.get(root)?.delete(watch);
      }
    },
    async lookAhead(root) {
      const at = wallClock();
      const notBefore = oldestUseful(root, at);
      announced.set(root, at);
      if ((looked.get(root) ?? 0) < notBefore) await thread.ask({ kind: "look", root, at, notBefore });
    },
    close: thread.close,
  };
}
