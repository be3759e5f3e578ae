/** Which threads are kept at rest for a while, and what is to begin there afterwards. */
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadId } from "../../shared/ids.ts";

type Rest = { ended: Promise<unknown>; deferred: "nothing" | "poke" | "resume" };

export type Rests = {
  /** @throws ContractError `conflict` where the thread is kept at rest already */
  keep<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T>;
  /** Notes what is to begin afterwards. @returns whether the thread is kept at rest */
  defer(threadId: ThreadId, what: "poke" | "resume"): boolean;
  /** Resolves when the thread, or each, is free. */
  ended(threadId?: ThreadId): Promise<void>;
};

/** @param goOn is called when a thread is free again and something came meanwhile */
export function createRests(goOn: (threadId: ThreadId, what: "poke" | "resume") => void): Rests {
  const kept = new Map<ThreadId, Rest>();
  return {
    async keep(threadId, act) {
      if (kept.has(threadId))
        throw new ContractError("conflict", "Something is being undone here already.", { field: "threadId" });
      const { promise, resolve } = Promise.withResolvers<void>();
      const rest: Rest = { ended: promise, deferred: "nothing" };
      kept.set(threadId, rest);
      try {
        return await act();
      } finally {
        kept.delete(threadId);
        resolve();
        if (rest.deferred !== "nothing") goOn(threadId, rest.deferred);
      }
    },
    defer(threadId, what) {
      const rest = kept.get(threadId);
      if (rest && rest.deferred !== "resume") rest.deferred = what;
      return rest !== undefined;
    },
    async ended(threadId) {
      const rests = threadId === undefined ? [...kept.values()] : [kept.get(threadId)];
      await Promise.all(rests.map((rest) => rest?.ended));
    },
  };
}
