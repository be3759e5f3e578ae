/** Carries the real path that was judged safe to the read itself, so that no other file is read in its place. */
import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<string | undefined>();

/** @param path the real path that was judged; `undefined` when the call reads no file */
export function runAsJudged<T>(path: string | undefined, act: () => Promise<T>): Promise<T> {
  return storage.run(path, act);
}

/** The one real path that a read nobody was asked about may lead to. */
export function judgedPath(): string | undefined {
  return storage.getStore();
}
