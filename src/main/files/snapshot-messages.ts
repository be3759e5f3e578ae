/** What the host and the thread that takes snapshots say to each other. */

/**
 * A watch lasts from `before` to `after`, and `look` begins none; each request is answered once. Times are in ms since
 * 1970, with fractions. `at` is when it was asked. A look that began between `notBefore` and `at` will do for `before` and
 * `look`, one that began after `at` for `after` and `meanwhile`, so that many commands in one folder share their looks.
 * `meanwhile` tells of a watch that lasts what changed since it was asked last.
 */
export type SnapshotRequest =
  | ({ readonly kind: "before"; readonly watch: number } & LookWanted)
  | ({ readonly kind: "look" } & LookWanted)
  | ({ readonly kind: "after" } & OfWatch)
  | ({ readonly kind: "meanwhile" } & OfWatch);

type OfWatch = { readonly watch: number; readonly at: number };

type LookWanted = {
  readonly root: string;
  readonly at: number;
  readonly notBefore: number;
};

/** A command may end before its `before` was answered, so an answer names its request and not its watch. */
export type Asked = {
  readonly id: number;
  readonly request: SnapshotRequest;
};

export type Answered = {
  readonly id: number;
  readonly answer: SnapshotAnswer;
};

/** Stands for the hash of a content that was not read. */
export const unknownHash = "";

/** A file before it changed; without a copy `bytes` is null and `hash` unknown. Of a link `hash` is as `hashOfLink` says. */
type FoundOriginal = {
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly hash: string;
  readonly mode: number;
};

/** One file that changed; `original` is null when it is new, `hash` when it is gone and unknown when it is too large to be read. */
export type FoundChange = {
  /** From the workspace, with `/`. */
  readonly path: string;
  readonly original: FoundOriginal | null;
  /** SHA-256 of what is there now. */
  readonly hash: string | null;
  /** Permission bits of what is there now. */
  readonly mode: number | null;
  /** What tells that it is still that, see `markOf`; null where it was altered too lately for that. */
  readonly mark: string | null;
};

/** What the thread tells without being asked has this number. */
export const unasked = 0;

/**
 * `complete` is false when a limit was met, so something may be missing; only `after` finds changes, and `meanwhile` those so
 * far, without copies. Without being asked
 * the thread tells, once a workspace was quiet for a while, what the commands there changed that no answer told.
 */
export type SnapshotAnswer = {
  /** What was looked at; empty when it is not known any more. */
  readonly root: string;
  /** When the look that answers began. */
  readonly lookedAt: number;
  readonly complete: boolean;
  readonly changes: readonly FoundChange[];
};
