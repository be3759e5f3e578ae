/** The console stream: a snapshot in pages, then whatever changed; a slow client gets fewer, fuller batches, never a backlog. */
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ConsoleItem, HostInfo, Settings } from "../../shared/contract/console.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import type { Changes } from "./changes.ts";
import { createPulse } from "./pulse.ts";

export type ConsoleSource = {
  changes: Changes;
  info(): HostInfo;
  settings(): Settings;
  threads(): ThreadSummary[];
  thread(id: ThreadId): ThreadSummary | undefined;
  pendingApprovals(): Approval[];
  approval(id: ApprovalId): Approval | undefined;
};

const batchMs = 50;
const batchItems = 100;
const batchBytes = 400_000;

/** Ends when the signal aborts. What is dirty is a set of ids, so memory is bounded by what exists. */
export async function* watchConsole(source: ConsoleSource, signal: AbortSignal): AsyncGenerator<ConsoleItem> {
  const dirtyThreads = new Set<ThreadId>();
  const dirtyApprovals = new Set<ApprovalId>();
  let settingsChanged = false;
  let hostChanged = false;
  let seq = 0;
  const pulse = createPulse(batchMs);
  const stop = source.changes.listen((change) => {
    if (change.kind === "thread") dirtyThreads.add(change.threadId);
    else if (change.kind === "approval") {
      dirtyApprovals.add(change.approvalId);
      dirtyThreads.add(change.threadId);
    } else if (change.kind === "settings") settingsChanged = true;
    else if (change.kind === "host") hostChanged = true;
    else return;
    pulse.beat();
  });
  try {
    yield { kind: "reset", settings: source.settings(), host: source.info() };
    for (const threads of inBatches(source.threads())) yield { kind: "threads", threads };
    for (const approvals of inBatches(source.pendingApprovals())) yield { kind: "approvals", approvals };
    yield { kind: "ready", seq };
    while (!signal.aborted) {
      await pulse.next(signal);
      while (dirtyThreads.size + dirtyApprovals.size > 0 || settingsChanged || hostChanged) {
        const threads = takeBatch(dirtyThreads, (id) => source.thread(id));
        const approvals = takeBatch(dirtyApprovals, (id) => source.approval(id));
        seq += 1;
        const settings = settingsChanged ? source.settings() : undefined;
        settingsChanged = false;
        const host = hostChanged ? source.info() : undefined;
        hostChanged = false;
        yield {
          kind: "changes",
          seq,
          threads: threads.found,
          removedThreads: threads.gone,
          approvals: approvals.found,
          removedApprovals: approvals.gone,
          settings,
          host,
        };
      }
    }
  } finally {
    stop();
  }
}

function takeBatch<Id, T>(dirty: Set<Id>, read: (id: Id) => T | undefined): { found: T[]; gone: Id[] } {
  const found: T[] = [];
  const gone: Id[] = [];
  let bytes = 0;
  for (const id of dirty) {
    if (found.length + gone.length >= batchItems || bytes > batchBytes) break;
    dirty.delete(id);
    const value = read(id);
    if (value === undefined) gone.push(id);
    else {
      found.push(value);
      bytes += JSON.stringify(value).length;
    }
  }
  return { found, gone };
}

function* inBatches<T>(values: T[]): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const value of values) {
    batch.push(value);
    bytes += JSON.stringify(value).length;
    if (batch.length >= batchItems || bytes > batchBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
