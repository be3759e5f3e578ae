/** Keeps large tool results and moved history in application data, each thread's in a folder of its own, so that neither lands in the project. */
import { mkdirSync } from "node:fs";
import { type BackendProtocolV2, FilesystemBackend } from "deepagents";
import type { ThreadId } from "../../../shared/ids.ts";
import { currentRun } from "./graph-run.ts";

/** Absolute paths of a thread's folders; they need not exist. */
export type OverflowOf = (threadId: ThreadId) => { results: string; history: string };

/** A file backend whose root is the folder of the thread that asks; threads cannot see each other's. */
export class OverflowBackend implements BackendProtocolV2 {
  readonly #folderOf: (threadId: ThreadId) => string;

  constructor(folderOf: (threadId: ThreadId) => string) {
    this.#folderOf = folderOf;
  }

  ls(path: string) {
    return this.#own().ls(path);
  }

  read(path: string, offset?: number, limit?: number) {
    return this.#own().read(path, offset, limit);
  }

  readRaw(path: string) {
    return this.#own().readRaw(path);
  }

  write(path: string, content: string) {
    return this.#own().write(path, content);
  }

  edit(path: string, oldString: string, newString: string, replaceAll?: boolean) {
    return this.#own().edit(path, oldString, newString, replaceAll);
  }

  grep(pattern: string, path?: string | null, glob?: string | null, maxCount?: number | null) {
    return this.#own().grep(pattern, path ?? undefined, glob, maxCount);
  }

  glob(pattern: string, path?: string) {
    return this.#own().glob(pattern, path);
  }

  delete(path: string) {
    return this.#own().delete(path);
  }

  uploadFiles(files: [string, Uint8Array][]) {
    return this.#own().uploadFiles(files);
  }

  downloadFiles(paths: string[]) {
    return this.#own().downloadFiles(paths);
  }

  #own(): FilesystemBackend {
    const rootDir = this.#folderOf(currentRun().threadId);
    mkdirSync(rootDir, { recursive: true, mode: 0o700 });
    return new FilesystemBackend({ rootDir, virtualMode: true });
  }
}
