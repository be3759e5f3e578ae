/** Gathers which paths of a workspace something happened to, by watching each of its folders. */
import type { FileEvents } from "./file-events.ts";

export type TouchedPaths = {
  /** Watches the folder from now on, anew where it was watched; `prefix` ends in `/`, but for the workspace's own, which is empty. */
  add(prefix: string): void;
  /** Whether it is a folder that is watched. */
  isFolder(path: string): boolean;
  /** Watches none of these folders any more, and none below them. */
  drop(prefixes: readonly string[]): void;
  /** What was touched since it was asked last; null where it may be anything. Of a folder, all below it may be another. */
  take(): readonly string[] | null;
  /** Whether every folder that was added is watched. */
  isWhole(): boolean;
  close(): void;
};

/** More are not worth being told apart. */
const mostPaths = 5_000;

/** @param root a real path */
export function createTouchedPaths(root: string, events: FileEvents): TouchedPaths {
  const watchers = new Map<string, { close(): void }>();
  let touched = new Set<string>();
  let losses = events.losses();
  let lost = false;
  let whole = true;
  const touch = (path: string) => {
    if (touched.size < mostPaths) touched.add(path);
    else lost = true;
  };
  const hear = (prefix: string, name: string) => {
    if (name !== "") touch(`${prefix}${name}`);
    // What happens to any other folder is told by the one above it too.
    else if (prefix === "") lost = true;
  };
  const close = (prefix: string) => {
    watchers.get(prefix)?.close();
    watchers.delete(prefix);
  };
  return {
    add(prefix) {
      close(prefix);
      if (!whole) return;
      try {
        watchers.set(
          prefix,
          events.watch(`${root}/${prefix}`, (name) => hear(prefix, name)),
        );
      } catch (error) {
        // What is gone or may not be opened is not looked at either.
        const { code } = error as NodeJS.ErrnoException;
        whole = code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "EPERM";
      }
    },
    isFolder: (path) => watchers.has(`${path}/`),
    drop(prefixes) {
      if (prefixes.length === 0) return;
      for (const known of watchers.keys())
        if (prefixes.some((prefix) => known.startsWith(prefix))) close(known);
    },
    take() {
      const paths = lost || losses < events.losses() ? null : [...touched];
      touched = new Set();
      lost = false;
      losses = events.losses();
      return paths;
    },
    isWhole: () => whole,
    close() {
      whole = false;
      for (const prefix of [...watchers.keys()]) close(prefix);
    },
  };
}
