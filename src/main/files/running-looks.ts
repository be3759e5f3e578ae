/** Asks again and again what the commands that run have changed so far, where somebody wants to know. */
import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { wallClock } from "../base/wall-clock.ts";
import { isExplained, type OwnChanges } from "./change-memory.ts";
import type { FoundChange } from "./snapshot-messages.ts";
import type { SnapshotThread } from "./snapshot-thread.ts";

/** What a file holds that a command which runs changed; `hash` is null where it is gone, and unknown where it was not read. */
export type SeenChange = { readonly path: string; readonly hash: string | null };

/** Who wants to know what a command changed before it ended. */
export type WhileRunning = {
  isWanted(): boolean;
  /** What changed since it was told last, by real paths. */
  tell(changes: readonly SeenChange[]): void;
  /** It ended, and all it changed was told whoever keeps that. */
  end(): void;
};

type Running = WhileRunning & { readonly root: string; readonly own: OwnChanges };

export type RunningLooks = {
  /** To be called once the watch was asked for. */
  begin(watch: number, running: Running): void;
  /** Asks now, for what is about to be written in this workspace is another's. */
  askNow(root: string): void;
  end(watch: number): void;
};

/** A second write is to be told within two seconds. */
const everyMs = 1_000;
/** Where nothing can be heard each look goes to everything: it takes at most a fifth of its thread's time. */
const restForLook = 4;

/** What the app wrote there itself is no change of the command's, but what the command had made of the file until then is. */
function toSeen(root: string, found: FoundChange, own: OwnChanges): SeenChange[] {
  const path = join(root, found.path);
  const ours = own.byPath.get(path);
  if (isExplained(ours, found)) return [];
  return [{ path, hash: ours && ours.to === found.hash ? ours.from : found.hash }];
}

/**
 * @param ask the thread that looks
 * @param logError told of what went wrong
 */
export function createRunningLooks(
  ask: SnapshotThread["ask"],
  logError: (error: unknown) => void,
): RunningLooks {
  const running = new Map<number, Running>();
  /** A timer that is made in a run keeps what the run knew. */
  const outsideOfRuns = AsyncLocalStorage.snapshot();
  let isLooping = false;

  async function askOne(watch: number, { root, own, tell }: Running): Promise<void> {
    const answer = await ask({ kind: "meanwhile", watch, at: wallClock() });
    if (!answer || !running.has(watch)) return;
    const seen = answer.changes.flatMap((found) => toSeen(root, found, own));
    if (seen.length > 0) tell(seen);
  }

  async function askThose(root?: string): Promise<void> {
    try {
      const those = [...running].filter(([, one]) => root === undefined || one.root === root);
      const wanted = those.filter(([, one]) => one.isWanted());
      await Promise.all(wanted.map(([watch, one]) => askOne(watch, one)));
    } catch (error) {
      logError(error);
    }
  }

  async function askUntilNoneRuns(): Promise<void> {
    let restMs = everyMs;
    while (running.size > 0) {
      await pause(restMs, undefined, { ref: false });
      const began = performance.now();
      await askThose();
      restMs = Math.max(everyMs, restForLook * (performance.now() - began));
    }
    isLooping = false;
  }

  return {
    begin(watch, one) {
      running.set(watch, one);
      if (isLooping) return;
      isLooping = true;
      outsideOfRuns(() => void askUntilNoneRuns());
    },
    askNow: (root) => void askThose(root),
    end: (watch) => void running.delete(watch),
  };
}
