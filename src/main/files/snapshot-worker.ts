/** The thread in which workspaces are looked at, since thousands of files would hold up everything else. */
import { join } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { wallClock } from "../base/wall-clock.ts";
import { auditTree } from "./audit-tree.ts";
import { hasOtherContent, type TreeChange } from "./compare-snapshots.ts";
import { createFileEvents } from "./file-events.ts";
import { markOf } from "./file-mark.ts";
import { type KeptLimits, KeptTree } from "./kept-tree.ts";
import { hashOfLink } from "./link-hash.ts";
import type { Look } from "./look-log.ts";
import { readWhole } from "./read-whole.ts";
import {
  type Answered,
  type Asked,
  type FoundChange,
  type SnapshotAnswer,
  type SnapshotRequest,
  unasked,
  unknownHash,
} from "./snapshot-messages.ts";
import { hashBytes } from "./stored-file.ts";
import type { SeenFile } from "./tree-snapshot.ts";

const limits: KeptLimits = {
  maxFiles: 20_000,
  maxWatchedFiles: 100_000,
  maxFileBytes: 256_000,
  maxTotalBytes: 20_000_000,
  maxBinaryBytes: 10_000_000,
  maxCopyMs: 2_000,
  maxMs: 5_000,
  ownFolder: workerData.ownFolder,
  hanging: workerData.hanging,
  beingRead: workerData.beingRead,
};
/** A look that gives way to all others may take long. */
const auditLimits = { ...limits, maxFiles: limits.maxWatchedFiles, maxMs: Infinity };
/** Beyond this a list helps nobody any more, and each of them would be read whenever the list is shown. */
const maxChanges = 1_000;
const maxHashedBytes = 10_000_000;
/** Workspaces of which something is kept. */
const maxKept = 3;
/** Trees of one workspace that are kept; a new one begins when what git ignores changed, or with each command where nothing is heard. */
const maxTrees = 16;

/** A workspace has been quiet for so long when it is looked at once more, at everything. */
const quietMs = 2_000;
/** So long others wait meanwhile. */
const stepMs = 8;

const events = createFileEvents(join(workerData.ownFolder, "look"));
/** By workspace, that which was used last at the end; the trees of each oldest first. */
const kept = new Map<string, KeptTree[]>();
const open = new Map<number, { tree: KeptTree; before: Look }>();
/** Workspaces where not all that happens can be heard; there each look goes to everything. */
const notHeard = new Set<string>();
/** Workspaces that are to be looked at once more. */
const toAudit = new Set<string>();

function keep(root: string, trees: readonly KeptTree[]): void {
  kept.delete(root);
  kept.set(root, trees.slice(-maxTrees));
  for (const [oldest, its] of kept) {
    if (kept.size <= maxKept) return;
    for (const tree of its) tree.stopWatching();
    kept.delete(oldest);
  }
}

function hashKept({ isLink, bytes }: SeenFile): string | undefined {
  if (bytes === null) return undefined;
  return isLink ? hashOfLink(bytes) : hashBytes(bytes);
}

function hashNow(root: string, path: string, now: SeenFile): string {
  const known = hashKept(now);
  if (known !== undefined) return known;
  const bytes = now.size <= maxHashedBytes ? readWhole(join(root, path), now.size) : null;
  return bytes ? hashBytes(bytes) : unknownHash;
}

/** Of a content that was not copied and stayed what it was, what it is now tells what it was. */
function hashBefore(before: SeenFile, after: SeenFile | null, hash: string | null): string {
  const known = hashKept(before);
  if (known !== undefined) return known;
  return after && !hasOtherContent(before, after) ? (hash ?? unknownHash) : unknownHash;
}

function toFound(root: string, { path, before, after }: TreeChange): FoundChange {
  const hash = after && hashNow(root, path, after);
  return {
    path,
    original: before && {
      // Copied once more, since what is handed over is gone here and other snapshots may hold it.
      bytes: before.isLink || !before.bytes ? null : new Uint8Array(before.bytes),
      hash: hashBefore(before, after, hash),
      mode: before.mode,
    },
    hash,
    mode: after?.mode ?? null,
    mark: after && !after.fresh ? markOf(after) : null,
  };
}

/** A look at the workspace that began at `at`, by what git ignores now. */
function lookNow(root: string, at: number): { tree: KeptTree; look: Look } {
  const trees = kept.get(root) ?? [];
  const newest = trees.at(-1);
  if (newest?.isWatched) {
    keep(root, trees);
    const look = newest.look(at);
    if (newest.isWatched) return { tree: newest, look };
  }
  newest?.stopWatching();
  const tree = new KeptTree(root, limits, notHeard.has(root) ? null : events, at, newest?.snapshot);
  if (!tree.isWatched) notHeard.add(root);
  keep(root, [...trees, tree]);
  return { tree, look: tree.looks.newest() };
}

type Beginning = Exclude<SnapshotRequest, { kind: "after" }>;

function begin(request: Beginning, now: number): SnapshotAnswer {
  const { root, at, notBefore } = request;
  const shared = (kept.get(root) ?? []).toReversed().flatMap((tree) => {
    const look = tree.looks.between(notBefore, at);
    return look ? [{ tree, look }] : [];
  })[0];
  const { tree, look } = shared ?? lookNow(root, now);
  if (request.kind === "before") open.set(request.watch, { tree, before: look });
  return { root, lookedAt: look.at, complete: look.complete, changes: [] };
}

function end({ watch, at }: Extract<SnapshotRequest, { kind: "after" }>, now: number): SnapshotAnswer {
  const known = open.get(watch);
  if (!known) return { root: "", lookedAt: 0, complete: false, changes: [] };
  open.delete(watch);
  const { tree, before } = known;
  const { root } = tree;
  const after = tree.looks.newest().at > at ? tree.looks.newest() : tree.look(now);
  const changes = tree.changesSince(before);
  tree.looks.forgetAllBut(
    new Set([...open.values()].flatMap((one) => (one.tree === tree ? one.before.number : []))),
  );
  if (tree.isWatched) toAudit.add(root);
  return toAnswer(root, after, before.complete, changes);
}

function toAnswer(
  root: string,
  after: Look,
  complete: boolean,
  changes: readonly TreeChange[],
): SnapshotAnswer {
  return {
    root,
    lookedAt: after.at,
    complete: complete && after.complete && changes.length <= maxChanges,
    changes: changes.slice(0, maxChanges).map((change) => toFound(root, change)),
  };
}

const answers: MessagePort = workerData.to;
let asked: Asked[] = [];
let isAnswering = false;
let quiet: NodeJS.Timeout | undefined;

function send(id: number, answer: SnapshotAnswer): void {
  const copies = answer.changes.flatMap(({ original }) => original?.bytes?.buffer ?? []);
  answers.postMessage({ id, answer } satisfies Answered, copies);
}

const settled = async () => events?.settled();

/** All that was asked by now is answered as of one moment. */
async function answerAll(): Promise<void> {
  clearTimeout(quiet);
  isAnswering = true;
  while (asked.length > 0) {
    const all = asked;
    asked = [];
    const now = wallClock();
    await settled();
    for (const { id, request } of all)
      send(id, request.kind === "after" ? end(request, now) : begin(request, now));
  }
  isAnswering = false;
  quiet = setTimeout(() => void auditAll(), quietMs).unref();
}

/** Looks at everything where commands ran, unless something is asked meanwhile or a command still runs. */
async function auditAll(): Promise<void> {
  let since = performance.now();
  const giveWay = async () => {
    if (performance.now() - since > stepMs) {
      await new Promise(setImmediate);
      since = performance.now();
    }
    return asked.length === 0 && !isAnswering;
  };
  for (const root of toAudit) {
    const tree = kept.get(root)?.at(-1);
    const runs = [...open.values()].some((one) => one.tree.root === root);
    const missed = tree?.isWatched && !runs ? await auditTree(tree, auditLimits, settled, giveWay) : [];
    if (!(await giveWay())) return;
    if (runs || missed === null) continue;
    toAudit.delete(root);
    if (!tree) continue;
    if (missed.length > 0) {
      notHeard.add(root);
      tree.stopWatching();
    }
    send(unasked, toAnswer(root, tree.looks.newest(), true, missed));
  }
}

parentPort?.on("message", (one: Asked) => {
  asked.push(one);
  if (!isAnswering) void answerAll();
});
