/**
 * Stands in the place of `zustand` in component tests. It makes the same stores and knows them all, so that a test can
 * start with what a page has that was just opened: files share one page, and would find what the one before left there.
 */
import { create as createHook, type UseBoundStore } from "zustand/react";
import type { StateCreator, StoreApi } from "zustand/vanilla";

export { useStore } from "zustand/react";
export { createStore } from "zustand/vanilla";

const stores = new Set<() => void>();

export function create<T>(creator: StateCreator<T>): UseBoundStore<StoreApi<T>> {
  const store = createHook<T>()(creator);
  stores.add(() => store.setState(store.getInitialState(), true));
  return store;
}

/** Gives every store of the page the state that it was made with. */
export function startStoresAnew(): void {
  for (const start of stores) start();
}
