/** One actor per thread: one run at a time, messages wait in its mailbox, and stop, resume and delete never race. */
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type ActorPorts, areNew, driveToEnd, endLeft } from "./drive-turn.ts";
import type { ThreadStore } from "./thread-store.ts";
import type { TurnRow } from "./turn-store.ts";

export type ThreadActors = {
  /** Starts the next queued turn when the thread rests; harmless otherwise. */
  poke(threadId: ThreadId): void;
  /** Goes on with the current or latest turn; harmless while it runs. */
  resume(threadId: ThreadId): void;
  /** Aborts the run and waits until it ended; queued messages stay queued unless `dropQueue`. */
  stop(threadId: ThreadId, reason: unknown): Promise<void>;
  /** Stops and refuses to start again, for deletion. */
  retire(threadId: ThreadId, reason: unknown): Promise<void>;
  /** The thread was not deleted after all: it works again, and begins what was sent meanwhile. */
  takeUpAgain(threadId: ThreadId): void;
  isRunning(threadId: ThreadId): boolean;
  /**
   * Keeps the thread at rest while `act` goes on: what would begin a run meanwhile does so afterwards.
   * @throws ContractError `conflict` when it runs, or is kept so already
   */
  atRest<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T>;
  /** Ends every run without marking its turn, so that the next start finds it as a crash would leave it. */
  close(): Promise<void>;
};

/** `again`: something was sent after the stop and begins when the run has ended. */
type Running = { controller: AbortController; ended: Promise<void>; again: boolean };

function stillWorking(): ContractError {
  return new ContractError("conflict", "The agent is still working here. Stop it first.", {
    field: "threadId",
  });
}

/** Holds in memory which runs go on; all else is read from the stores at each step. */
export function createThreadActors(ports: ActorPorts): ThreadActors {
  const { threads, answersFor, onInternalError } = ports;
  const running = new Map<ThreadId, Running>();
  const retired = createRetired(poke);
  const rests = createRests((threadId, what) => {
    // The turn may be taken back by now, so that there is nothing to go on with.
    if (what === "resume" && threads.currentTurn(threadId)) resume(threadId);
    else poke(threadId);
  });
  let closed = false;
  const isClosed = () => closed;

  function start(turn: TurnRow, how: "begin" | "continue"): void {
    const { threadId } = turn;
    const controller = new AbortController();
    const { signal } = controller;
    const ended = driveToEnd(ports, turn, how, { signal, isClosed })
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
    if (closed || retired.defers(threadId) || run) return;
    if (rests.defer(threadId, "poke")) return;
    const thread = threads.find(threadId);
    if (!thread || thread.status === "waiting" || thread.status === "interrupted") return;
    const turn = threads.nextQueued(threadId);
    if (turn) start(turn, "begin");
  }

  async function stop(threadId: ThreadId, reason: unknown): Promise<void> {
    const run = running.get(threadId);
    if (!run) return endLeft(ports, threadId);
    run.controller.abort(reason);
    await run.ended;
  }

  function resume(threadId: ThreadId): void {
    if (closed || retired.has(threadId) || running.has(threadId)) return;
    const turn = turnToResume(threads, threadId);
    if (!rests.defer(threadId, "resume")) start(turn, "continue");
  }

  return {
    poke,
    resume,
    async atRest(threadId, act) {
      if (closed || running.has(threadId) || retired.has(threadId)) throw stillWorking();
      return rests.keep(threadId, act);
    },
    stop,
    async retire(threadId, reason) {
      retired.add(threadId);
      await rests.ended(threadId);
      await stop(threadId, reason);
    },
    takeUpAgain: retired.takeUpAgain,
    isRunning: (threadId) => running.has(threadId),
    async close() {
      closed = true;
      const runs = [...running.values()];
      for (const { controller } of runs) controller.abort(new Error("the app is closing"));
      await Promise.all([rests.ended(), ...runs.map(({ ended }) => ended)]);
    },
  };
}

/** Threads that are being deleted. @param poke is called when one stays after all and something was sent meanwhile */
function createRetired(poke: (threadId: ThreadId) => void) {
  const wasPoked = new Map<ThreadId, boolean>();
  return {
    add: (threadId: ThreadId) => void wasPoked.set(threadId, wasPoked.get(threadId) ?? false),
    has: (threadId: ThreadId) => wasPoked.has(threadId),
    /** Notes that something is to begin. @returns whether it is one of them */
    defers(threadId: ThreadId): boolean {
      if (!wasPoked.has(threadId)) return false;
      wasPoked.set(threadId, true);
      return true;
    },
    takeUpAgain(threadId: ThreadId): void {
      const begins = wasPoked.get(threadId) ?? false;
      wasPoked.delete(threadId);
      if (begins) poke(threadId);
    },
  };
}

/** The turn that is under way, or the latest one when it did not come to its end. */
function turnToResume({ get, currentTurn, latestTurn }: ThreadStore, threadId: ThreadId): TurnRow {
  const latest = latestTurn(threadId);
  // After turns that were taken back the thread is done: the one before would make its calls a second time.
  const isOver = latest?.status === "done" || get(threadId).status === "done";
  const turn = currentTurn(threadId) ?? (isOver ? undefined : latest);
  if (!turn)
    throw new ContractError("conflict", "There is nothing to go on with in this thread. Send it a message.");
  return turn;
}

/** Which threads are kept at rest for a while, and what is to begin there afterwards. */
type Rest = { ended: Promise<unknown>; deferred: "nothing" | "poke" | "resume" };

type Rests = {
  /** @throws ContractError `conflict` where the thread is kept at rest already */
  keep<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T>;
  /** Notes what is to begin afterwards. @returns whether the thread is kept at rest */
  defer(threadId: ThreadId, what: "poke" | "resume"): boolean;
  /** Resolves when the thread, or each, is free. */
  ended(threadId?: ThreadId): Promise<void>;
};

/** @param goOn is called when a thread is free again and something came meanwhile */
function createRests(goOn: (threadId: ThreadId, what: "poke" | "resume") => void): Rests {
  const kept = new Map<ThreadId, Rest>();
  return {
    async keep(threadId, act) {
      if (kept.has(threadId))
        throw new ContractError("conflict", "Something is being undone here already.", { field: "threadId" });
      const { promise, resolve } = Promise.withResolvers<void>();
      const rest: Rest = { ended: promise, deferred: "nothing" };
      kept.set(threadId, rest);
      try {
        return await act();
      } finally {
        kept.delete(threadId);
        resolve();
        if (rest.deferred !== "nothing") goOn(threadId, rest.deferred);
      }
    },
    defer(threadId, what) {
      const rest = kept.get(threadId);
      if (rest && rest.deferred !== "resume") rest.deferred = what;
      return rest !== undefined;
    },
    async ended(threadId) {
      const rests = threadId === undefined ? [...kept.values()] : [kept.get(threadId)];
      await Promise.all(rests.map((rest) => rest?.ended));
    },
  };
}
