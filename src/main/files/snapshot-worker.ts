/** The thread in which workspaces are looked at, since thousands of files would hold up everything else. */
import { join } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { giveBackAtRest } from "../base/give-back.ts";
import { wallClock } from "../base/wall-clock.ts";
import { auditTree } from "./audit-tree.ts";
import { type TreeChange, toFound } from "./compare-snapshots.ts";
import { createFileEvents } from "./file-events.ts";
import { type KeptLimits, KeptTree } from "./kept-tree.ts";
import type { Look } from "./look-log.ts";
import {
  type Answered,
  type Asked,
  type SnapshotAnswer,
  type SnapshotRequest,
  unasked,
} from "./snapshot-messages.ts";

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
/** Watches that last; `told` is the newest look of which something was told meanwhile. */
const open = new Map<number, { tree: KeptTree; before: Look; told: Look }>();
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

type Beginning = Extract<SnapshotRequest, { kind: "before" | "look" }>;
type OfWatch = Exclude<SnapshotRequest, Beginning>;

function begin(request: Beginning, now: number): SnapshotAnswer {
  const { root, at, notBefore } = request;
  const shared = (kept.get(root) ?? []).toReversed().flatMap((tree) => {
    const look = tree.looks.between(notBefore, at);
    return look ? [{ tree, look }] : [];
  })[0];
  const { tree, look } = shared ?? lookNow(root, now);
  if (request.kind === "before") open.set(request.watch, { tree, before: look, told: look });
  return { root, lookedAt: look.at, complete: look.complete, changes: [] };
}

const unknownWatch: SnapshotAnswer = { root: "", lookedAt: 0, complete: false, changes: [] };

function end({ watch, at }: OfWatch, now: number): SnapshotAnswer {
  const known = open.get(watch);
  if (!known) return unknownWatch;
  open.delete(watch);
  const { tree, before } = known;
  const { root } = tree;
  const after = lookAfter(tree, at, now);
  const changes = tree.changesSince(before);
  forgetLooks(tree);
  if (tree.isWatched) toAudit.add(root);
  return toAnswer(root, after, before.complete, changes);
}

/** What a command that runs changed by now, of what was touched since this was asked last. */
function tellMeanwhile({ watch, at }: OfWatch, now: number): SnapshotAnswer {
  const known = open.get(watch);
  if (!known) return unknownWatch;
  const { tree, before, told } = known;
  const newest = lookAfter(tree, at, now);
  const touched = tree.looks.since(told);
  const changes = tree.changesSince(before).filter(({ path }) => touched.has(path));
  open.set(watch, { tree, before, told: newest });
  forgetLooks(tree);
  const { complete, changes: found } = toAnswer(tree.root, newest, before.complete, changes);
  const withoutCopies = found.map(({ original, ...rest }) => ({
    ...rest,
    original: original && { ...original, bytes: null },
  }));
  // The look is none that a command which begins may share without waiting: its tree may be an old one.
  return { root: tree.root, lookedAt: 0, complete, changes: withoutCopies };
}

function lookAfter(tree: KeptTree, at: number, now: number): Look {
  const newest = tree.looks.newest();
  return newest.at > at ? newest : tree.look(now);
}

function forgetLooks(tree: KeptTree): void {
  const needed = [...open.values()].filter((one) => one.tree === tree);
  tree.looks.forgetAllBut(new Set(needed.flatMap(({ before, told }) => [before.number, told.number])));
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
/** Whether more is being answered than how commands that run stand, which is asked all the time and disturbs no audit. */
let isAtWork = false;
let quiet: NodeJS.Timeout | undefined;
/** When the workspaces will have been quiet for long enough, as `performance.now()`; undefined where nothing was done since the last audit began. */
let quietAt: number | undefined;
let isAuditing = false;

const isWork = ({ request }: Asked) => request.kind !== "meanwhile";

function answer(request: SnapshotRequest, now: number): SnapshotAnswer {
  switch (request.kind) {
    case "after":
      return end(request, now);
    case "meanwhile":
      return tellMeanwhile(request, now);
    default:
      return begin(request, now);
  }
}

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
    isAtWork = all.some(isWork);
    if (isAtWork) quietAt = performance.now() + quietMs;
    const now = wallClock();
    await settled();
    for (const { id, request } of all) send(id, answer(request, now));
  }
  isAnswering = false;
  isAtWork = false;
  if (quietAt !== undefined) quiet = setTimeout(audit, Math.max(0, quietAt - performance.now())).unref();
}

function audit(): void {
  // One that was given up is about to end.
  if (isAuditing) {
    quiet = setTimeout(audit, quietMs).unref();
    return;
  }
  quietAt = undefined;
  isAuditing = true;
  void auditAll().finally(() => {
    isAuditing = false;
  });
}

/** Looks at everything where commands ran, unless something is asked meanwhile or a command still runs. */
async function auditAll(): Promise<void> {
  let since = performance.now();
  const giveWay = async () => {
    if (performance.now() - since > stepMs) {
      await new Promise(setImmediate);
      since = performance.now();
    }
    return !asked.some(isWork) && !isAtWork;
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

const noteWork = giveBackAtRest();

parentPort?.on("message", (one: Asked) => {
  noteWork();
  asked.push(one);
  if (!isAnswering) void answerAll();
});
