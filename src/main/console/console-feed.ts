/** The console stream: a snapshot in pages, then whatever changed; a slow client gets fewer, fuller batches, never a backlog. */
import { isDeepStrictEqual } from "node:util";
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ConsoleItem, HostInfo, Settings } from "../../shared/contract/console.ts";
import type { DaySpent } from "../../shared/contract/costs.ts";
import type { QueueEntry, ThreadSummary } from "../../shared/contract/threads.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { jsonBytes } from "../../shared/wire/json-bytes.ts";
import type { Changes } from "../threads/changes.ts";
import { createPulse } from "./pulse.ts";

export type ConsoleSource = {
  changes: Changes;
  info(): HostInfo;
  settings(): Settings;
  threads(): ThreadSummary[];
  thread(id: ThreadId): ThreadSummary | undefined;
  pendingApprovals(): ApprovalId[];
  approval(id: ApprovalId): Approval | undefined;
  today(): DaySpent;
};

const batchMs = 50;
/** For what a person waits for: a card that has come. Whoever decides one hears at once what became of it, and its effect goes first. */
const urgentMs = 5;
const batchItems = 100;
/** Half a frame: threads and approvals travel in one. */
const batchBytes = 400_000;

/** Ends when the signal aborts. What is dirty is a set of ids, so memory is bounded by what exists. */
export async function* watchConsole(source: ConsoleSource, signal: AbortSignal): AsyncGenerator<ConsoleItem> {
  const dirtyThreads = new Set<ThreadId>();
  const dirtyApprovals = new Set<ApprovalId>();
  let settingsChanged = false;
  let hostChanged = false;
  let shown: QueueEntry | undefined;
  let seq = 0;
  const pulse = createPulse(batchMs, urgentMs);
  const stop = source.changes.listen((change) => {
    if (change.kind === "thread") dirtyThreads.add(change.threadId);
    else if (change.kind === "approval") {
      dirtyApprovals.add(change.approvalId);
      dirtyThreads.add(change.threadId);
    } else if (change.kind === "settings") settingsChanged = true;
    else if (change.kind === "host") hostChanged = true;
    else if (change.kind === "show") shown = change.entry;
    else return;
    const isUrgent = change.kind === "show" || (change.kind === "approval" && change.isAsked);
    pulse.beat(isUrgent ? "urgent" : undefined);
  });
  try {
    yield { kind: "reset", settings: source.settings(), host: source.info() };
    for (const threads of inBatches(source.threads())) yield { kind: "threads", threads };
    for (const approvals of inBatches(readEach(source))) yield { kind: "approvals", approvals };
    let today = source.today();
    yield { kind: "ready", seq, today };
    while (!signal.aborted) {
      await pulse.next(signal);
      while (dirtyThreads.size + dirtyApprovals.size > 0 || settingsChanged || hostChanged || shown) {
        const threads = takeBatch(dirtyThreads, (id) => source.thread(id));
        const approvals = takeBatch(dirtyApprovals, (id) => source.approval(id));
        seq += 1;
        const settings = settingsChanged ? source.settings() : undefined;
        settingsChanged = false;
        const host = hostChanged ? source.info() : undefined;
        hostChanged = false;
        const before = today;
        today = source.today();
        const show = shown;
        shown = undefined;
        yield {
          kind: "changes",
          seq,
          threads: threads.found,
          removedThreads: threads.gone,
          approvals: approvals.found,
          removedApprovals: approvals.gone,
          settings,
          today: isDeepStrictEqual(before, today) ? undefined : today,
          host,
          show,
        };
      }
    }
  } finally {
    stop();
  }
}

/** What does not fit any more stays dirty; the first always fits, so that the rest gets on. */
function takeBatch<Id, T>(dirty: Set<Id>, read: (id: Id) => T | undefined): { found: T[]; gone: Id[] } {
  const found: T[] = [];
  const gone: Id[] = [];
  let bytes = 0;
  for (const id of dirty) {
    if (found.length + gone.length >= batchItems) break;
    const value = read(id);
    const size = value === undefined ? 0 : jsonBytes(value);
    if (bytes > 0 && bytes + size > batchBytes) break;
    dirty.delete(id);
    bytes += size;
    if (value === undefined) gone.push(id);
    else found.push(value);
  }
  return { found, gone };
}

/** One at a time: a row may be a hundred times what is shown of it. What was decided meanwhile comes as a change. */
function* readEach(source: ConsoleSource): Generator<Approval> {
  for (const id of source.pendingApprovals()) {
    const approval = source.approval(id);
    if (approval?.status === "pending") yield approval;
  }
}

function* inBatches<T>(values: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const value of values) {
    const size = jsonBytes(value);
    if (batch.length > 0 && (batch.length >= batchItems || bytes + size > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(value);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
