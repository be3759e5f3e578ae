/** Puts rows, runs and queue in agreement before the first wire is accepted; it never wakes a thread that a person stopped. */

import type Database from "better-sqlite3";
import type { ThreadId } from "../../shared/ids.ts";
import type { ApprovalStore } from "../approvals/approval-store.ts";
import type { ExecutionRow, ExecutionStore } from "../approvals/execution-store.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadStore } from "../threads/thread-store.ts";

export type RecoverParts = {
  database: Database.Database;
  store: ThreadStore;
  approvals: ApprovalStore;
  executions: ExecutionStore;
  log: EventLog;
  fileRecovery(execution: ExecutionRow): void;
};

/**
 * @returns the threads that go on by themselves: a person approved or answered there, and the app stopped before
 *   anything acted on it.
 */
export function recover(parts: RecoverParts): ThreadId[] {
  // One commit for all: each by itself would cost a write to the disk per thread.
  return parts.database.transaction(() => reconcile(parts))();
}

function reconcile({ store, approvals, executions, log, fileRecovery }: RecoverParts): ThreadId[] {
  for (const execution of executions.started()) {
    if (store.find(execution.threadId)) fileRecovery(execution);
    else executions.close(execution.id);
  }
  const pending = approvals.pendingCounts();
  const answered = new Set(approvals.threadsWithUnconsumed());
  const unfinished = store.threadsWithCurrentTurn();
  const goOn: ThreadId[] = [];
  for (const threadId of store.threadsWithStatus(["running", "waiting", "queued"])) {
    if (!unfinished.has(threadId)) store.update(threadId, { status: "done" });
    else if (answered.has(threadId)) goOn.push(threadId);
    else if ((pending.get(threadId) ?? 0) > 0) store.update(threadId, { status: "waiting" });
    else {
      const problem = "The app stopped while this thread was working. Resume to go on from where it was.";
      store.update(threadId, { status: "interrupted", problem });
      log.append(threadId, [
        {
          type: "notice.added",
          itemId: `interrupted:${store.currentTurn(threadId)!.id}:${log.lastSeq(threadId)}`,
          level: "warning",
          text: problem,
        },
      ]);
    }
  }
  return goOn;
}
