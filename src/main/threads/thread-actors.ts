/** One actor per thread: one run at a time, messages wait in its mailbox, and stop, resume and delete never race. */
import { setTimeout as pause } from "node:timers/promises";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import type { ThreadRow, ThreadStore } from "./thread-store.ts";
import type { TurnRow } from "./turn-store.ts";

/** How a run of a turn ended. `waiting`: the graph rests on an interrupt that a person has to answer. */
export type TurnEnd =
  | { kind: "done" }
  | { kind: "waiting" }
  | { kind: "stopped"; problem?: string }
  | { kind: "failed"; problem: string; retryable: boolean };

export type ActorPorts = {
  threads: ThreadStore;
  /** Runs the graph until it rests. `begin` sends the turn's message, `continue` goes on from the last checkpoint. */
  run(thread: ThreadRow, turn: TurnRow, how: "begin" | "continue", signal: AbortSignal): Promise<TurnEnd>;
  /** The answers that a run could deliver and none has acted on yet, oldest first. */
  answersFor(threadId: ThreadId): readonly ApprovalId[];
  /** A queued message begins its turn. */
  onTurnBegan(turn: TurnRow): void;
  onTurnEnded(turn: TurnRow, end: Exclude<TurnEnd, { kind: "waiting" }>): void;
  onInternalError(error: unknown): void;
  /** Why a run failed, in a sentence. */
  explainError(error: unknown): { problem: string; retryable: boolean };
};

export type ThreadActors = {
  /** Starts the next queued turn when the thread rests; harmless otherwise. */
  poke(threadId: ThreadId): void;
  /** Goes on with the current or latest turn; harmless while it runs. */
  resume(threadId: ThreadId): void;
  /** Aborts the run and waits until it ended; queued messages stay queued unless `dropQueue`. */
  stop(threadId: ThreadId, reason: unknown): Promise<void>;
  /** Stops and refuses to start again, for deletion. */
  retire(threadId: ThreadId, reason: unknown): Promise<void>;
  isRunning(threadId: ThreadId): boolean;
  /** Ends every run without marking its turn, so that the next start finds it as a crash would leave it. */
  close(): Promise<void>;
};

/** How long after a failure the end of a turn is written again. */
const finishAgainMs = 1_000;

/** `again`: something was sent after the stop and begins when the run has ended. */
type Running = { controller: AbortController; ended: Promise<void>; again: boolean };

export function createThreadActors(ports: ActorPorts): ThreadActors {
  const running = new Map<ThreadId, Running>();
  const retired = new Set<ThreadId>();
  let closed = false;

  function start(threadId: ThreadId, turn: TurnRow, how: "begin" | "continue"): void {
    const controller = new AbortController();
    const ended = drive(threadId, turn, how, controller.signal)
      .catch(async (error: unknown) => {
        ports.onInternalError(error);
        await finishFailed(threadId, turn, error, controller.signal);
        return [];
      })
      .then((delivered) => {
        const again = running.get(threadId)?.again ?? false;
        running.delete(threadId);
        if (controller.signal.aborted && again) poke(threadId);
        if (closed || controller.signal.aborted) return;
        // An answer may have come after the last look and before this line.
        const answers = ports.answersFor(threadId);
        const current = ports.threads.currentTurn(threadId);
        if (current && areNew(answers, delivered)) start(threadId, current, "continue");
        else poke(threadId);
      })
      .catch((error: unknown) => void ports.onInternalError(error));
    running.set(threadId, { controller, ended, again: false });
  }

  async function drive(
    threadId: ThreadId,
    turn: TurnRow,
    how: "begin" | "continue",
    signal: AbortSignal,
  ): Promise<readonly ApprovalId[]> {
    const { threads } = ports;
    threads.setTurnStatus(turn.id, "running");
    threads.update(threadId, { status: "running", problem: undefined });
    if (how === "begin") ports.onTurnBegan(turn);
    let next: "begin" | "continue" = how;
    // What the first run can deliver already; the same answers again would be a run for nothing, without end.
    let delivered = how === "continue" ? ports.answersFor(threadId) : [];
    for (;;) {
      const end = await ports.run(threads.get(threadId), turn, next, signal);
      if (closed) return delivered;
      if (end.kind !== "waiting" || signal.aborted) {
        finish(threadId, turn, end.kind === "waiting" ? { kind: "stopped" } : end);
        return delivered;
      }
      const answers = ports.answersFor(threadId);
      if (!areNew(answers, delivered)) {
        threads.update(threadId, { status: "waiting" });
        return delivered;
      }
      delivered = answers;
      next = "continue";
    }
  }

  function finish(threadId: ThreadId, turn: TurnRow, end: Exclude<TurnEnd, { kind: "waiting" }>): void {
    const { threads } = ports;
    threads.setTurnStatus(turn.id, end.kind);
    ports.onTurnEnded(turn, end);
    if (!threads.find(threadId)) return;
    threads.update(threadId, {
      status: end.kind,
      problem: "problem" in end ? end.problem : undefined,
      unread: true,
    });
  }

  /** A full disk takes the end of a turn no better than its middle: the end is written as soon as there is room. */
  async function finishFailed(
    threadId: ThreadId,
    turn: TurnRow,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const end = { kind: "failed" as const, ...ports.explainError(error) };
    while (!closed && !signal.aborted) {
      try {
        finish(threadId, turn, end);
        return;
      } catch (again) {
        ports.onInternalError(again);
        await pause(finishAgainMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  function poke(threadId: ThreadId): void {
    const run = running.get(threadId);
    if (run?.controller.signal.aborted) run.again = true;
    if (closed || retired.has(threadId) || run) return;
    const thread = ports.threads.find(threadId);
    if (!thread || thread.status === "waiting" || thread.status === "interrupted") return;
    const turn = ports.threads.nextQueued(threadId);
    if (turn) start(threadId, turn, "begin");
  }

  async function stop(threadId: ThreadId, reason: unknown): Promise<void> {
    const run = running.get(threadId);
    if (run) {
      run.controller.abort(reason);
      await run.ended;
      return;
    }
    // Nothing runs, but a turn may rest on approvals or be left from a crash: it ends here.
    const turn = ports.threads.currentTurn(threadId);
    if (turn) finish(threadId, turn, { kind: "stopped" });
  }

  return {
    poke,
    resume(threadId) {
      if (closed || retired.has(threadId) || running.has(threadId)) return;
      const latest = ports.threads.latestTurn(threadId);
      const turn = ports.threads.currentTurn(threadId) ?? (latest?.status === "done" ? undefined : latest);
      if (!turn)
        throw new ContractError(
          "conflict",
          "There is nothing to go on with in this thread. Send it a message.",
        );
      start(threadId, turn, "continue");
    },
    stop,
    async retire(threadId, reason) {
      retired.add(threadId);
      await stop(threadId, reason);
    },
    isRunning: (threadId) => running.has(threadId),
    async close() {
      closed = true;
      const runs = [...running.values()];
      for (const run of runs) run.controller.abort(new Error("the app is closing"));
      await Promise.all(runs.map((run) => run.ended));
    },
  };
}

/** Whether there is anything to deliver that is not just what the last run was given. */
function areNew(answers: readonly ApprovalId[], delivered: readonly ApprovalId[]): boolean {
  if (answers.length === 0) return false;
  return answers.length !== delivered.length || answers.some((id, index) => id !== delivered[index]);
}
