/** Drives one turn of a thread: run after run with the answers that came, and its end written down whatever became of it. */
import { setTimeout as pause } from "node:timers/promises";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import type { ThreadRow, ThreadStore } from "./thread-store.ts";
import type { TurnRow } from "./turn-store.ts";

/** How a run of a turn ended. `waiting`: the graph rests on an interrupt that a person has to answer. */
export type TurnEnd =
  | { kind: "done" }
  | { kind: "waiting" }
  | { kind: "stopped"; problem?: string }
  | { kind: "failed"; problem: string; retryable: boolean };

export type FinalEnd = Exclude<TurnEnd, { kind: "waiting" }>;

export type ActorPorts = {
  threads: ThreadStore;
  /** Runs the graph until it rests. `begin` sends the turn's message, `continue` goes on from the last checkpoint. */
  run(thread: ThreadRow, turn: TurnRow, how: "begin" | "continue", signal: AbortSignal): Promise<TurnEnd>;
  /** The answers that a run could deliver and none has acted on yet, oldest first. */
  answersFor(threadId: ThreadId): readonly ApprovalId[];
  /** A queued message begins its turn. */
  onTurnBegan(turn: TurnRow): void;
  onTurnEnded(turn: TurnRow, end: FinalEnd): void;
  onInternalError(error: unknown): void;
  /** Why a run failed, in a sentence. */
  explainError(error: unknown): { problem: string; retryable: boolean };
};

/** How long after a failure the end of a turn is written again. */
const finishAgainMs = 1_000;

/** What ends a run from outside. */
type Ending = { signal: AbortSignal; isClosed(): boolean };

/**
 * Runs a turn until it ends or waits for a person; of one that could not even be run the failure is its end.
 * @returns the answers that its last run was given.
 */
export async function driveToEnd(
  ports: ActorPorts,
  turn: TurnRow,
  how: "begin" | "continue",
  ending: Ending,
): Promise<readonly ApprovalId[]> {
  try {
    return await drive(ports, turn, how, ending);
  } catch (error) {
    ports.onInternalError(error);
    await finishFailed(ports, turn, error, ending);
    return [];
  }
}

async function drive(
  ports: ActorPorts,
  turn: TurnRow,
  how: "begin" | "continue",
  { signal, isClosed }: Ending,
): Promise<readonly ApprovalId[]> {
  const { threads, answersFor } = ports;
  const { threadId } = turn;
  threads.setTurnStatus(turn.id, "running");
  threads.update(threadId, { status: "running", problem: undefined });
  if (how === "begin") ports.onTurnBegan(turn);
  let next: "begin" | "continue" = how;
  // What the first run can deliver already; the same answers again would be a run for nothing, without end.
  let delivered = how === "continue" ? answersFor(threadId) : [];
  for (;;) {
    const end = await ports.run(asSent(threads, turn), turn, next, signal);
    if (isClosed()) return delivered;
    if (end.kind !== "waiting" || signal.aborted) {
      finish(ports, turn, end.kind === "waiting" ? { kind: "stopped" } : end);
      return delivered;
    }
    const answers = answersFor(threadId);
    if (!areNew(answers, delivered)) {
      threads.update(threadId, { status: "waiting" });
      return delivered;
    }
    delivered = answers;
    next = "continue";
  }
}

function finish({ threads, onTurnEnded }: ActorPorts, turn: TurnRow, end: FinalEnd): void {
  threads.setTurnStatus(turn.id, end.kind);
  onTurnEnded(turn, end);
  if (!threads.find(turn.threadId)) return;
  threads.update(turn.threadId, {
    status: end.kind,
    problem: "problem" in end ? end.problem : undefined,
    unread: true,
  });
}

/** Where nothing runs, a turn may rest on approvals or be left from a crash: it ends here. */
export function endLeft(ports: ActorPorts, threadId: ThreadId): void {
  const turn = ports.threads.currentTurn(threadId);
  if (turn) finish(ports, turn, { kind: "stopped" });
}

/** A full disk takes the end of a turn no better than its middle: the end is written as soon as there is room. */
async function finishFailed(
  ports: ActorPorts,
  turn: TurnRow,
  error: unknown,
  { signal, isClosed }: Ending,
): Promise<void> {
  const end = { kind: "failed" as const, ...ports.explainError(error) };
  while (!isClosed() && !signal.aborted) {
    try {
      finish(ports, turn, end);
      return;
    } catch (again) {
      ports.onInternalError(again);
      await pause(finishAgainMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

/** The thread with the agent and the model that the turn was sent to; what was chosen since holds for later messages. */
function asSent(threads: ThreadStore, { id, threadId }: TurnRow): ThreadRow {
  const thread = threads.get(threadId);
  const { agentId, model } = threads.sentTo(id);
  return { ...thread, agentId: agentId ?? thread.agentId, model: model ?? thread.model };
}

/** Whether there is anything to deliver that is not just what the last run was given. */
export function areNew(answers: readonly ApprovalId[], delivered: readonly ApprovalId[]): boolean {
  if (answers.length === 0) return false;
  return answers.length !== delivered.length || answers.some((id, index) => id !== delivered[index]);
}
