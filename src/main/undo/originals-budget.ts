/** Keeps what undo needs within a budget: beyond it the oldest changes can no longer be undone, and their lists say so. */
import type { ThreadId } from "../../shared/ids.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import type { StepJournal } from "./step-journal.ts";
import { contentsOf, type TakeBackStore } from "./take-back-store.ts";

/** Of all threads together. */
export const undoBudgetBytes = 2_000_000_000;

const givenUpAtOnce = 200;

export type UndoUse = { readonly bytes: number; readonly ofAll: number; readonly budget: number };

export type OriginalsBudget = {
  /** What a thread needs of it, each content once, and what all do. */
  measure(threadId: ThreadId): Promise<UndoUse>;
  /**
   * Takes away what nobody needs, and gives up the oldest changes until what is kept fits. What was undone, and what the list of changed files needs, stays.
   * @returns how many bytes were freed
   */
  keep(signal: AbortSignal): Promise<number>;
};

type Parts = {
  journal: Pick<StepJournal, "contentsOf" | "oldestKept" | "giveUp">;
  store: Pick<TakeBackStore, "ofThread">;
  blobs: Pick<OriginalBlobs, "delete" | "bytesOf" | "bytesOfAll" | "sweep">;
  /** Whether anybody needs a content: a step, a way back or the list of changed files. */
  isNeeded(hash: string): Promise<boolean>;
};

/** @param budget in bytes */
export function createOriginalsBudget(
  { journal, store, blobs, isNeeded }: Parts,
  budget = undoBudgetBytes,
): OriginalsBudget {
  return {
    async measure(threadId) {
      const undone = store.ofThread(threadId).flatMap((takeBack) => [...contentsOf(takeBack)]);
      let bytes = 0;
      for (const hash of new Set([...journal.contentsOf(threadId), ...undone]))
        bytes += await blobs.bytesOf(hash);
      return { bytes, ofAll: await blobs.bytesOfAll(), budget };
    },
    async keep(signal) {
      await blobs.sweep(isNeeded, signal);
      const tooMany = (await blobs.bytesOfAll()) - budget;
      let freed = 0;
      while (freed < tooMany && !signal.aborted) {
        const oldest = journal.oldestKept(givenUpAtOnce);
        for (const { step, path, hash } of oldest) {
          if (freed >= tooMany || signal.aborted) break;
          const bytes = await blobs.bytesOf(hash);
          if (signal.aborted) break;
          // First nobody counts on it any more, then it goes: an end in between costs room and no promise.
          journal.giveUp(step, path);
          await blobs.delete(hash);
          freed += bytes - (await blobs.bytesOf(hash));
        }
        if (oldest.length === 0) break;
      }
      return freed;
    },
  };
}

/**
 * Looks once a while after the start, and then every hour.
 * @returns a function that ends it; nothing is looked up or written after it was called
 */
export function keepWithinBudget(
  budget: Pick<OriginalsBudget, "keep">,
  afterMs: number,
  onError: (error: unknown) => void,
): () => void {
  const leaving = new AbortController();
  const look = () => void budget.keep(leaving.signal).catch(onError);
  const first = setTimeout(look, afterMs);
  const again = setInterval(look, 3_600_000);
  for (const timer of [first, again]) timer.unref();
  return () => {
    clearTimeout(first);
    clearInterval(again);
    leaving.abort();
  };
}
