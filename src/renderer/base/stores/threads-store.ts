/** Every thread's summary, as the console stream tells it. */
import { create } from "zustand";
import type { Abilities, ThreadSummary } from "../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../shared/ids.ts";

type Threads = {
  byId: ReadonlyMap<ThreadId, ThreadSummary>;
  replace(threads: readonly ThreadSummary[]): void;
  change(threads: readonly ThreadSummary[], removed: readonly ThreadId[]): void;
};

export const useThreads = create<Threads>((set, get) => ({
  byId: new Map(),
  replace: (threads) => set({ byId: new Map(threads.map((thread) => [thread.id, thread])) }),
  change(threads, removed) {
    if (threads.length === 0 && removed.length === 0) return;
    const byId = new Map(get().byId);
    for (const thread of threads) byId.set(thread.id, thread);
    for (const id of removed) byId.delete(id);
    set({ byId });
  },
}));

/** Whether the agent of a thread can do something, so that it is offered. */
export function useAbility(id: ThreadId, ability: keyof Abilities): boolean {
  return useThreads((state) => state.byId.get(id)?.can[ability] ?? false);
}

/** Whether it came to a halt by itself and does not go on before the person says so. */
export function isHalted({ status, archived }: ThreadSummary): boolean {
  return !archived && (status === "failed" || status === "interrupted");
}

/** How many threads did. */
export function useHaltedCount(): number {
  return useThreads(({ byId }) => [...byId.values()].filter(isHalted).length);
}
