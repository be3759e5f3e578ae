/** The thread in which workspaces are looked at, since thousands of files would hold up everything else. */
import { join } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { wallClock } from "../base/wall-clock.ts";
import { markOf } from "./file-mark.ts";
import {
  type Answered,
  type Asked,
  type FoundChange,
  type SnapshotAnswer,
  type SnapshotRequest,
  unknownHash,
} from "./snapshot-messages.ts";
import { hashBytes } from "./stored-file.ts";
import {
  compareSnapshots,
  hasOtherContent,
  readWhole,
  type SeenFile,
  type SnapshotLimits,
  type TreeChange,
  type TreeSnapshot,
  takeSnapshot,
} from "./tree-snapshot.ts";

const limits: SnapshotLimits = {
  maxFiles: 20_000,
  maxFileBytes: 256_000,
  maxTotalBytes: 20_000_000,
  maxBinaryBytes: 10_000_000,
  maxCopyMs: 2_000,
  maxMs: 5_000,
  ownFolder: workerData.ownFolder,
  hanging: workerData.hanging,
  beingRead: workerData.beingRead,
};
/** Beyond this a list helps nobody any more, and each of them would be read whenever the list is shown. */
const maxChanges = 1_000;
const maxHashedBytes = 10_000_000;
/** Workspaces whose looks are kept, so that the next one reads only what changed. */
const maxKept = 3;
/** Looks of one workspace that are kept; they share what did not change. */
const maxLooks = 16;

type Look = {
  readonly at: number;
  readonly snapshot: TreeSnapshot;
};

/** Oldest first. */
const looks = new Map<string, Look[]>();
const open = new Map<number, { root: string; before: TreeSnapshot }>();

function lookAt(root: string, previous: TreeSnapshot | undefined, pairs: boolean): Look {
  const at = wallClock();
  const look = { at, snapshot: takeSnapshot(root, limits, previous, pairs) };
  const known = looks.get(root) ?? [];
  looks.delete(root);
  looks.set(root, [...known, look].slice(-maxLooks));
  for (const oldest of looks.keys()) if (looks.size > maxKept) looks.delete(oldest);
  return look;
}

function hashNow(root: string, path: string, now: SeenFile): string {
  if (now.bytes) return hashBytes(now.bytes);
  const bytes = now.size <= maxHashedBytes ? readWhole(join(root, path), now.size) : null;
  return bytes ? hashBytes(bytes) : unknownHash;
}

/** Of a content that was not copied and stayed what it was, what it is now tells what it was. */
function hashBefore(before: SeenFile, after: SeenFile | null, hash: string | null): string {
  if (before.bytes) return hashBytes(before.bytes);
  return after && !hasOtherContent(before, after) ? (hash ?? unknownHash) : unknownHash;
}

function toFound(root: string, { path, before, after }: TreeChange): FoundChange {
  const hash = after && hashNow(root, path, after);
  return {
    path,
    original: before && {
      // Copied once more, since what is handed over is gone here and other snapshots may hold it.
      bytes: before.bytes && new Uint8Array(before.bytes),
      hash: hashBefore(before, after, hash),
      mode: before.mode,
    },
    hash,
    mode: after?.mode ?? null,
    mark: after && !after.fresh ? markOf(after) : null,
  };
}

type Beginning = Exclude<SnapshotRequest, { kind: "after" }>;

function begin(request: Beginning): SnapshotAnswer {
  const { root, at, notBefore } = request;
  const known = looks.get(root) ?? [];
  const shared = known.findLast((look) => look.at >= notBefore && look.at <= at);
  const look = shared ?? lookAt(root, known.at(-1)?.snapshot, false);
  if (request.kind === "before") open.set(request.watch, { root, before: look.snapshot });
  return { root, lookedAt: look.at, complete: look.snapshot.complete, changes: [] };
}

function end({ watch, at }: Extract<SnapshotRequest, { kind: "after" }>): SnapshotAnswer {
  const known = open.get(watch);
  if (!known) return { root: "", lookedAt: 0, complete: false, changes: [] };
  open.delete(watch);
  const { root, before } = known;
  const newest = looks.get(root)?.at(-1);
  // Looks leave out what git ignored at the first of them; only those with the same rules can be compared.
  const shared = newest && newest.at > at && newest.snapshot.ignored === before.ignored ? newest : undefined;
  const after = shared ?? lookAt(root, before, true);
  const changes = compareSnapshots(before, after.snapshot);
  return {
    root,
    lookedAt: after.at,
    complete: before.complete && after.snapshot.complete && changes.length <= maxChanges,
    changes: changes.slice(0, maxChanges).map((change) => toFound(root, change)),
  };
}

const answers: MessagePort = workerData.to;
parentPort?.on("message", ({ id, request }: Asked) => {
  const answer = request.kind === "after" ? end(request) : begin(request);
  const copies = answer.changes.flatMap(({ original }) => original?.bytes?.buffer ?? []);
  answers.postMessage({ id, answer } satisfies Answered, copies);
});
