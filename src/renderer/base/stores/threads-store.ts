/** Every thread's summary, as the console stream tells it. */
import { create } from "zustand";
import { type Abilities, isHalted, type ThreadSummary } from "../../../shared/contract/threads.ts";
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

/** Who acts on a thread by a program of its own, and at which level; undefined for agents of the console. */
export function useActing(id: ThreadId): ThreadSummary["actsItself"] {
  return useThreads((state) => state.byId.get(id)?.actsItself);
}

/** How many threads came to a halt and wait for the person. */
export function useHaltedCount(): number {
  return useThreads(({ byId }) => [...byId.values()].filter(isHalted).length);
}
