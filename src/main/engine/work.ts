/** What works on turns: the runs of a source, and the actors that start and end them. */
import type { ThreadId } from "../../shared/ids.ts";
import { endOf, type Rest, type RunEnd } from "../agents/run-end.ts";
import type { AgentSource, Work } from "../agents/source.ts";
import { answersFor, wayOf } from "../approvals/answers.ts";
import { cancelPending } from "../approvals/cancel-pending.ts";
import type { WaitingRoom } from "../approvals/waiting-room.ts";
import { createLoopPlace } from "../base/loop-place.ts";
import { type RunContext, TurnStopped } from "../gate/run-context.ts";
import type { TurnEnd } from "../threads/drive-turn.ts";
import type { LiveText } from "../threads/live-text.ts";
import { createThreadActors, type ThreadActors } from "../threads/thread-actors.ts";
import type { EffectsParts, EngineEffects } from "./effects.ts";
import { explainRunError } from "./explain-error.ts";
import type { Sources } from "./sources.ts";
import type { Stores } from "./stores.ts";
import type { ThreadNotes } from "./thread-notes.ts";

type WorkParts = Pick<EffectsParts, "logError"> & {
  stores: Stores;
  now: () => number;
  sources: Sources;
  room: WaitingRoom;
  liveText: LiveText;
  effects: EngineEffects;
  notes: ThreadNotes;
};

/** Starts nothing by itself. */
export function createWork({ stores, now, logError, sources, room, liveText, effects, notes }: WorkParts): {
  runs: Runs;
  actors: ThreadActors;
} {
  const { threads, log, approvals } = stores;
  const explainError = (error: unknown) => explainRunError(error, logError);
  const answers = (threadId: ThreadId) => answersFor(approvals, threadId, now());
  const runs = createRuns({
    sources,
    needsFreshRun: (threadId) => answers(threadId).some((row) => wayOf(row) !== "seat"),
    keepPartial: (threadId) => void log.append(threadId, liveText.brokenOff(threadId)),
    park: (threadId) => void room.park(threadId),
    explainError,
  });
  stores.onSaveFailed(runs.fail);
  const waitsElsewhere = (threadId: ThreadId) => {
    const thread = threads.find(threadId);
    return thread !== undefined && sources.of(thread).outside !== undefined;
  };
  const endWaiting = (threadId: ThreadId, { kind }: TurnEnd) => {
    approvals.voidUnconsumed(threadId);
    cancelPending(stores, threadId, kind === "stopped" ? "the turn was stopped" : "the turn ended");
  };
  const actors = createThreadActors({
    threads,
    explainError,
    async run(thread, turn, how, signal) {
      const end = await runs.run({ thread, turn, how }, signal);
      await effects.commands.ended(thread.id, signal);
      return end;
    },
    answersFor: (threadId) => answers(threadId).map(({ id }) => id),
    onTurnBegan: notes.turnBegan,
    onTurnEnded(turn, end) {
      if (!waitsElsewhere(turn.threadId)) endWaiting(turn.threadId, end);
      notes.turnEnded(turn, end);
    },
    onInternalError: (error) => void logError(error),
  });
  return { runs, actors };
}

/** A turn that rests goes on; where there is none, what stands in line begins. To be called once what woke it is written. */
export function goOn(
  threadId: ThreadId,
  { find, currentTurn }: Stores["threads"],
  actors: ThreadActors,
): void {
  if (!find(threadId)) return;
  if (currentTurn(threadId)) actors.resume(threadId);
  else actors.poke(threadId);
}

type RunsParts = {
  sources: Pick<Sources, "of">;
  /** Answers were given that only a fresh run can deliver. */
  needsFreshRun(threadId: ThreadId): boolean;
  /** Writes down what was streamed of the thread's messages that nobody finishes. */
  keepPartial(threadId: ThreadId): void;
  /** Ends the waiting of the thread's gates, so that the run comes to rest. */
  park(threadId: ThreadId): void;
  explainError(error: unknown): { problem: string; retryable: boolean };
};

export type Runs = {
  run(work: Work, signal: AbortSignal): Promise<TurnEnd>;
  /** An answer was given: when nothing but waiting goes on in the run, it comes to rest and goes on with the answer. */
  considerParking(threadId: ThreadId): void;
  /** Ends the thread's run, if there is one, as failed: what it does can be written down no more. */
  fail(threadId: ThreadId, error: unknown): void;
};

type Active = { context: RunContext; failure: AbortController };

/**
 * Runs turns at their source: gives each run its context, ends one that is idle or cannot go on, and says how it ended.
 * At most one run for each thread at a time, which the actors see to.
 */
function createRuns(parts: RunsParts): Runs {
  const active = new Map<ThreadId, Active>();

  function considerParking(threadId: ThreadId): void {
    const busy = active.get(threadId)?.context.busy;
    if (busy === 0 && parts.needsFreshRun(threadId)) parts.park(threadId);
  }

  function begin({ thread, turn }: Work, { can }: AgentSource, signal: AbortSignal): Active {
    const failure = new AbortController();
    const ending = AbortSignal.any([signal, failure.signal]);
    const context: RunContext = {
      threadId: thread.id,
      turnId: turn.id,
      workspace: thread.workspace,
      mayEdit: can.editArguments,
      signal: ending,
      loop: createLoopPlace(ending),
      busy: 0,
      onQuiet: () => queueMicrotask(() => considerParking(thread.id)),
      refusals: new Map(),
    };
    const run = { context, failure };
    active.set(thread.id, run);
    return run;
  }

  async function work(source: AgentSource, what: Work, context: RunContext): Promise<Rest> {
    try {
      return await source.run(what, context);
    } catch (error) {
      parts.keepPartial(context.threadId);
      throw error;
    }
  }

  function toTurnEnd(end: RunEnd): TurnEnd {
    if (end.kind !== "failed") return end;
    const { error } = end;
    return error instanceof TurnStopped
      ? { kind: "failed", problem: error.message, retryable: true }
      : { kind: "failed", ...parts.explainError(error) };
  }

  return {
    considerParking,
    fail: (threadId, error) => active.get(threadId)?.failure.abort(error),
    async run(what, signal) {
      const source = parts.sources.of(what.thread);
      const { context, failure } = begin(what, source, signal);
      const end = await endOf(work(source, what, context), context.signal);
      active.delete(what.thread.id);
      const hasFailed = failure.signal.aborted && !signal.aborted;
      return toTurnEnd(hasFailed ? { kind: "failed", error: failure.signal.reason } : end);
    },
  };
}
