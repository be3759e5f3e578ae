/** Puts rows, runs and queue in agreement before the first wire is accepted; it never wakes a thread that a person stopped. */
import type Database from "better-sqlite3";
import type { ThreadId } from "../../shared/ids.ts";
import type { ApprovalStore } from "../approvals/approval-store.ts";
import { cancelPending } from "../approvals/cancel-pending.ts";
import type { ExecutionRow, ExecutionStore } from "../approvals/execution-store.ts";
import { visibleText } from "../base/visible-text.ts";
import { tellAside } from "../sandbox/made-confined.ts";
import { setAsideLeft } from "../sandbox/set-aside-left.ts";
import { beforeFileOf } from "../shell/confined-start.ts";
import { endOrphan, findOrphans } from "../shell/orphans.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import type { TakeBacks } from "../undo/take-backs.ts";
import type { Sources } from "./sources.ts";

export type RecoverParts = {
  database: Database.Database;
  threads: ThreadStore;
  approvals: ApprovalStore;
  executions: ExecutionStore;
  log: EventLog;
  fileRecovery(execution: ExecutionRow): void;
  /** Drops it where nothing of a rehearsal that it was to commit is there: its decision counts as it did. */
  dropUncommitted(execution: ExecutionRow): boolean;
  sources: Sources;
};

/**
 * @returns the threads that go on by themselves: a person approved or answered there, and the app stopped before
 *   anything acted on it.
 */
export function recover(parts: RecoverParts): ThreadId[] {
  // One commit for all: each by itself would cost a write to the disk per thread.
  return parts.database.transaction(() => {
    const { threads, sources } = parts;
    for (const { source, why } of sources.withoutMemory())
      for (const thread of threads.ofSource(source)) endUnfinished(parts, thread.id, { ...lost, why });
    for (const threadId of threads.threadsWithCurrentTurn())
      if (!sources.of(threads.get(threadId)).can.resume) endUnfinished(parts, threadId, cutOff);
    sayNobodyWaits(parts);
    return reconcile(parts);
  })();
}

/** Who asked is gone with the host, and does not ask again by itself: its cards stay and say so. */
function sayNobodyWaits({ approvals, threads, sources }: RecoverParts): void {
  for (const { source, afterStart } of sources.endedBefore())
    for (const { id } of threads.ofSource(source))
      for (const row of approvals.pending(id))
        if (row.kind === "tool") approvals.redraw(row.id, { ...row, description: afterStart(row) });
}

/** What a thread is told, and what its turn and all that waited in it end with. */
type Ending = { why: string; reason: string; problem: string };

const lost: Omit<Ending, "why"> = {
  reason: "the agent's memory is gone",
  problem: "What the agent remembered is gone. Send a message to begin anew.",
};
const cutOff: Ending = {
  why: "The app stopped while this thread was working, and its agent cannot go on with a turn that was cut off.",
  reason: "the turn was cut off",
  problem: "The app stopped while this thread was working. Send a message to go on.",
};

/** What waited would be answered to a run that cannot go on: it ends here, and the thread says so. */
function endUnfinished(
  { threads, approvals, executions, log }: RecoverParts,
  threadId: ThreadId,
  { why, reason, problem }: Ending,
): void {
  if (log.lastSeq(threadId) === 0) return;
  const turn = threads.currentTurn(threadId);
  const unknown = executions
    .ofThread(threadId)
    .flatMap(({ id, state }) => (state === "started" ? executions.get(id)! : []));
  cancelPending({ approvals, log }, threadId, reason);
  approvals.voidUnconsumed(threadId);
  for (const { id } of unknown) executions.close(id);
  const started = unknown.map(({ what }) => ` Nobody knows whether this finished: ${what.slice(0, 2_000)}`);
  const text = `${why}${started.join("")}`;
  log.append(threadId, [
    { type: "notice.added", itemId: `memory-lost:${log.lastSeq(threadId)}`, level: "warning", text },
  ]);
  if (!turn) return;
  const itemId = `end:${turn.id}:${log.lastSeq(threadId)}`;
  log.append(threadId, [
    { type: "turn.finished", itemId, turnId: turn.id, outcome: "failed", problem, retryable: false },
  ]);
  threads.setTurnStatus(turn.id, "failed");
  threads.update(threadId, { status: "failed", problem });
}

function reconcile(parts: RecoverParts): ThreadId[] {
  const { threads, approvals, executions, log, fileRecovery, sources } = parts;
  for (const execution of executions.started()) {
    const thread = threads.find(execution.threadId);
    if (!thread) executions.close(execution.id);
    else if (!parts.dropUncommitted(execution) && !sources.of(thread).outside) fileRecovery(execution);
  }
  const pending = approvals.pendingCounts();
  const answered = new Set(approvals.threadsWithUnconsumed());
  const unfinished = threads.threadsWithCurrentTurn();
  const goOn: ThreadId[] = [];
  for (const threadId of threads.threadsWithStatus(["running", "waiting", "queued"])) {
    if (!unfinished.has(threadId)) threads.update(threadId, { status: "done" });
    else if (answered.has(threadId)) goOn.push(threadId);
    else if ((pending.get(threadId) ?? 0) > 0) threads.update(threadId, { status: "waiting" });
    else if (sources.of(threads.get(threadId)).outside) goOn.push(threadId);
    else {
      const problem = "The app stopped while this thread was working. Resume to go on from where it was.";
      threads.update(threadId, { status: "interrupted", problem });
      log.append(threadId, [
        {
          type: "notice.added",
          itemId: `interrupted:${threads.currentTurn(threadId)!.id}:${log.lastSeq(threadId)}`,
          level: "warning",
          text: problem,
        },
      ]);
    }
  }
  return goOn;
}

const mayRun =
  "Commands that ran when the app ended last may have left something running. This system does not say what, so look for it yourself.";

/**
 * Commands of a host that died are ended before anything new starts.
 * @returns a warning for each that could not be, for what they newly made that steers others, and one when what runs cannot
 * be known.
 */
export async function endLeftCommands(executions: Pick<ExecutionStore, "started">): Promise<string[]> {
  // A command may have begun before its process was noted; its marker alone finds it then.
  const started = executions.started().map(({ id, pid, processStarted, logPath }) => ({
    executionId: id,
    pid: pid ?? 0,
    startTime: processStarted ?? "",
    logPath: logPath ?? undefined,
  }));
  if (started.length === 0) return [];
  const { found, isKnown } = await findOrphans(started);
  const warnings: string[] = [];
  let isAllKnown = isKnown;
  for (const orphan of found) {
    const { stillRunning, mayRunMore } = await endOrphan(orphan);
    isAllKnown &&= !mayRunMore;
    for (const { pid, name } of stillRunning)
      warnings.push(
        `A command from before is still running and could not be ended: process ${pid} (${name}).`,
      );
  }
  for (const { logPath } of started) {
    const aside = logPath === undefined ? undefined : setAsideLeft(beforeFileOf(logPath));
    if (aside) warnings.push(`In ${visibleText(aside.workspace)}: ${tellAside(aside.names)}`);
  }
  return isAllKnown ? warnings : [...warnings, mayRun];
}

/** An undo of files that the app did not get to the end of is finished, or undone where a file cannot move any more. */
export async function endLeftUndo(takeBacks: Pick<TakeBacks, "recover">): Promise<string[]> {
  const unfinished = (await takeBacks.recover()).filter(({ end }) => end !== "finished");
  return unfinished.map(({ takeBack, end, left }) => {
    const own =
      left.length === 0
        ? ""
        : ` These were changed by something else and stay as they are: ${left.join(", ")}.`;
    const state =
      end === "undone"
        ? "They are as before that."
        : "Neither could that be finished, nor could they be put back: some are as before, some as after. The next start tries again.";
    const { root, home, rehearsed } = takeBack.what;
    const what = rehearsed
      ? `what a command had been rehearsed to do was put into ${root}`
      : home
        ? `a worktree was being brought home to ${root}`
        : `files in ${root} were being undone`;
    return `The app ended while ${what}. ${state}${own}`;
  });
}
