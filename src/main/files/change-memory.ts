/** Writes down what a file was before a thread's first change to it, one change at a time, so that no two overwrite each other's record. */
import { join } from "node:path";
import { oneByOne } from "../base/one-by-one.ts";
import { wallClock } from "../base/wall-clock.ts";
import type { OriginalFile } from "./change-observer.ts";
import type { ChangeRecord, ChangeStore } from "./change-store.ts";
import { isLinkHash } from "./file-mark.ts";
import { isNameless } from "./nameless.ts";
import type { OriginalBlobs } from "./original-blobs.ts";
import { type FoundChange, unknownHash } from "./snapshot-messages.ts";

const blobsAtOnce = 8;

/** What the app itself did to a file while a command ran. */
type OwnChange = {
  readonly from: string | null;
  readonly to: string | null;
};

/** Own changes by real path, gathered until `end` is called. */
export type OwnChanges = {
  readonly byPath: ReadonlyMap<string, OwnChange>;
  end(): void;
};

export type ChangeMemory = {
  /** Keeps the original if this is the thread's first change of the file. */
  remember(threadId: string, root: string, original: OriginalFile): Promise<void>;
  /** Notes what the thread left in the file; null when it is not there any more. @param movedFrom where it was before */
  confirm(threadId: string, path: string, hash: string | null, movedFrom?: string): Promise<void>;
  /** Adds what changed while a command ran, but for what `own` explains. @returns what was left, new permissions too */
  rememberFound(
    threadId: string,
    root: string,
    changes: readonly FoundChange[],
    own: OwnChanges,
  ): Promise<FoundChange[]>;
  gatherOwn(): OwnChanges;
  /** When the app itself last changed a file, in ms since 1970; 0 when it never did. */
  lastOwnAt(): number;
  /** Tells those who gather that the app put a file back. */
  notePutBack(path: string, from: string | null, to: string | null): void;
  drop(record: ChangeRecord): Promise<void>;
};

/** Whether the app's own changes, of whichever thread, account for all that was found; then they are in a list already. */
export function isExplained(own: OwnChange | undefined, found: FoundChange): boolean {
  const { original, hash } = withoutLinks(found);
  if (own === undefined || own.to !== hash) return false;
  return original?.hash === unknownHash || own.from === (original?.hash ?? null);
}

/** The list is of files, so a link is nothing there. */
function withoutLinks(found: FoundChange): FoundChange {
  const { original, hash } = found;
  return {
    ...found,
    original: original && isLinkHash(original.hash) ? null : original,
    hash: hash !== null && isLinkHash(hash) ? null : hash,
  };
}

function hasNewContent({ original, hash }: FoundChange): boolean {
  return hash === unknownHash || (original?.hash ?? null) !== hash;
}

/**
 * Whether somebody else had changed the file since the thread last did, so that the thread's own part can no longer be
 * told from theirs. Where they brought the original back nothing of theirs is left to lose.
 */
function foundForeignWork(record: ChangeRecord, before: string | null): boolean {
  return before !== record.currentHash && before !== record.originalHash;
}

function gatherer() {
  const gathering = new Set<Map<string, OwnChange>>();
  let lastAt = 0;
  return {
    lastAt: () => lastAt,
    note(path: string, from: string | null, to: string | null): void {
      lastAt = wallClock();
      for (const changes of gathering) changes.set(path, { from: (changes.get(path) ?? { from }).from, to });
    },
    begin(): OwnChanges {
      const byPath = new Map<string, OwnChange>();
      gathering.add(byPath);
      return { byPath, end: () => void gathering.delete(byPath) };
    },
  };
}

/** @param blobs holds what files were, by hash; @param store one record for each thread and file. */
export function createChangeMemory(blobs: OriginalBlobs, store: ChangeStore): ChangeMemory {
  const inTurn = oneByOne();
  const own = gatherer();
  /** What a file tool saw just before its effect, until it says what it left. */
  const begun = new Map<string, string | null>();

  const toRecord = async (threadId: string, root: string, found: FoundChange): Promise<ChangeRecord> => {
    const path = join(root, found.path);
    const { original, hash: currentHash } = found;
    const known = await store.get(threadId, path);
    if (known) {
      const mixed = known.mixed || foundForeignWork(known, original?.hash ?? null) || undefined;
      const movedFrom = currentHash === null ? undefined : known.movedFrom;
      return { ...known, currentHash, byCommand: true, mixed, movedFrom };
    }
    if (original?.bytes) await blobs.put(original.bytes);
    const kept = original === null || original.bytes !== null;
    const { hash: originalHash = null, mode = null } = original ?? {};
    return { threadId, path, root, originalHash, kept, mode, currentHash, byCommand: true };
  };

  const remember: ChangeMemory["remember"] = async (threadId, root, { path, hash, bytes, mode }) => {
    begun.set(path, hash);
    const known = await store.get(threadId, path);
    if (known) {
      if (!known.mixed && foundForeignWork(known, hash)) await store.put({ ...known, mixed: true });
      return;
    }
    if (bytes !== null) await blobs.put(bytes, path);
    const kept = bytes !== null || hash === null;
    await store.put({ threadId, path, root, originalHash: hash, kept, mode, currentHash: hash });
  };

  return {
    remember: (...args) => inTurn(() => remember(...args)),
    confirm: (threadId, path, hash, from) =>
      inTurn(async () => {
        own.note(path, begun.get(path) ?? null, hash);
        begun.delete(path);
        const record = await store.get(threadId, path);
        if (!record) return;
        const origin = from && ((await store.get(threadId, from))?.movedFrom ?? from);
        // Brought back to where it was, it was never moved; what is gone came from nowhere.
        const movedFrom = hash === null || origin === path ? undefined : (origin ?? record.movedFrom);
        await store.put({ ...record, currentHash: hash, movedFrom });
      }),
    rememberFound: (threadId, root, changes, { byPath }) =>
      inTurn(async () => {
        const left = changes.filter((found) => !isExplained(byPath.get(join(root, found.path)), found));
        // The list tells contents apart, and new permissions alone are none.
        const listed = left
          .map(withoutLinks)
          .filter((found) => hasNewContent(found) && !isNameless(found.path));
        for (let at = 0; at < listed.length; at += blobsAtOnce) {
          const some = listed.slice(at, at + blobsAtOnce);
          await store.put(...(await Promise.all(some.map((found) => toRecord(threadId, root, found)))));
        }
        return left;
      }),
    gatherOwn: own.begin,
    lastOwnAt: own.lastAt,
    notePutBack: own.note,
    drop: (record) =>
      inTurn(async () => {
        const { threadId, path, originalHash, kept } = record;
        await store.delete(threadId, path);
        if (kept && originalHash !== null && !(await store.uses(originalHash)))
          await blobs.delete(originalHash);
      }),
  };
}
