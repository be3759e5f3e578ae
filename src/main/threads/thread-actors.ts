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

type FinalEnd = Exclude<TurnEnd, { kind: "waiting" }>;

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
  /**
   * Keeps the thread at rest while `act` goes on: what would begin a run meanwhile does so afterwards.
   * @throws ContractError `conflict` when it runs, or is kept so already
   */
  atRest<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T>;
  /** Ends every run without marking its turn, so that the next start finds it as a crash would leave it. */
  close(): Promise<void>;
};

/** How long after a failure the end of a turn is written again. */
const finishAgainMs = 1_000;

/** Of a thread that is kept at rest: what is to be done when it is not any more. */
type Held = { ended: Promise<unknown>; next: "nothing" | "poke" | "resume" };

/** `again`: something was sent after the stop and begins when the run has ended. */
type Running = { controller: AbortController; ended: Promise<void>; again: boolean };

/** Holds in memory which runs go on; all else is read from the stores at each step. */
export function createThreadActors(ports: ActorPorts): ThreadActors {
  const { threads, answersFor, onInternalError } = ports;
  const running = new Map<ThreadId, Running>();
  const retired = new Set<ThreadId>();
  const held = new Map<ThreadId, Held>();
  let closed = false;
  const isClosed = () => closed;

  function start(turn: TurnRow, how: "begin" | "continue"): void {
    const { threadId } = turn;
    const controller = new AbortController();
    const { signal } = controller;
    const ended = drive(ports, turn, how, { signal, isClosed })
      .catch(async (error: unknown) => {
        onInternalError(error);
        await finishFailed(ports, turn, error, { signal, isClosed });
        return [];
      })
      .then((delivered) => {
        const again = running.get(threadId)?.again ?? false;
        running.delete(threadId);
        if (signal.aborted && again) poke(threadId);
        if (closed || signal.aborted) return;
        // An answer may have come after the last look and before this line.
        const current = threads.currentTurn(threadId);
        if (current && areNew(answersFor(threadId), delivered)) start(current, "continue");
        else poke(threadId);
      })
      .catch((error: unknown) => void onInternalError(error));
    running.set(threadId, { controller, ended, again: false });
  }

  function poke(threadId: ThreadId): void {
    const run = running.get(threadId);
    if (run?.controller.signal.aborted) run.again = true;
    if (closed || retired.has(threadId) || run) return;
    const hold = held.get(threadId);
    if (hold) {
      if (hold.next === "nothing") hold.next = "poke";
      return;
    }
    const thread = threads.find(threadId);
    if (!thread || thread.status === "waiting" || thread.status === "interrupted") return;
    const turn = threads.nextQueued(threadId);
    if (turn) start(turn, "begin");
  }

  async function stop(threadId: ThreadId, reason: unknown): Promise<void> {
    const run = running.get(threadId);
    if (run) {
      run.controller.abort(reason);
      await run.ended;
      return;
    }
    // Nothing runs, but a turn may rest on approvals or be left from a crash: it ends here.
    const turn = threads.currentTurn(threadId);
    if (turn) finish(ports, turn, { kind: "stopped" });
  }

  function resume(threadId: ThreadId): void {
    if (closed || retired.has(threadId) || running.has(threadId)) return;
    const turn = turnToResume(threads, threadId);
    const hold = held.get(threadId);
    if (hold) hold.next = "resume";
    else start(turn, "continue");
  }

  async function atRest<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T> {
    if (closed || running.has(threadId) || retired.has(threadId))
      throw new ContractError("conflict", "The agent is still working here. Stop it first.", {
        field: "threadId",
      });
    if (held.has(threadId))
      throw new ContractError("conflict", "Something is being undone here already.", { field: "threadId" });
    const acting = act();
    const hold: Held = { ended: acting.catch(() => undefined), next: "nothing" };
    held.set(threadId, hold);
    try {
      return await acting;
    } finally {
      held.delete(threadId);
      // The turn may be taken back by now, so that there is nothing to go on with.
      if (hold.next === "resume" && threads.find(threadId) && threads.currentTurn(threadId)) resume(threadId);
      else if (hold.next !== "nothing") poke(threadId);
    }
  }

  return {
    poke,
    resume,
    atRest,
    stop,
    async retire(threadId, reason) {
      retired.add(threadId);
      await held.get(threadId)?.ended;
      await stop(threadId, reason);
    },
    isRunning: (threadId) => running.has(threadId),
    async close() {
      closed = true;
      const runs = [...running.values()];
      for (const run of runs) run.controller.abort(new Error("the app is closing"));
      await Promise.all([...runs, ...held.values()].map((one) => one.ended));
    },
  };
}

/** What ends a run from outside. */
type Ending = { signal: AbortSignal; isClosed(): boolean };

/** Runs a turn until it ends or waits for a person. @returns the answers that its last run was given. */
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

/** The turn that is under way, or the latest one when it did not come to its end. */
function turnToResume({ currentTurn, latestTurn }: ThreadStore, threadId: ThreadId): TurnRow {
  const latest = latestTurn(threadId);
  const turn = currentTurn(threadId) ?? (latest?.status === "done" ? undefined : latest);
  if (!turn)
    throw new ContractError("conflict", "There is nothing to go on with in this thread. Send it a message.");
  return turn;
}

/** The thread with the agent and the model that the turn was sent to; what was chosen since holds for later messages. */
function asSent(threads: ThreadStore, { id, threadId }: TurnRow): ThreadRow {
  const thread = threads.get(threadId);
  const { agentId, model } = threads.sentTo(id);
  return { ...thread, agentId: agentId ?? thread.agentId, model: model ?? thread.model };
}

/** Whether there is anything to deliver that is not just what the last run was given. */
function areNew(answers: readonly ApprovalId[], delivered: readonly ApprovalId[]): boolean {
  if (answers.length === 0) return false;
  return answers.length !== delivered.length || answers.some((id, index) => id !== delivered[index]);
}
