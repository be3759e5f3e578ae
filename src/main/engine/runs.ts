/** Runs turns at their source: gives each run its context, ends one that is idle or cannot go on, and says how it ended. */
import type { ThreadId } from "../../shared/ids.ts";
import type { AgentSource, RunEnd, Work } from "../agents/source.ts";
import { GateParked } from "../gate/call.ts";
import { type RunContext, TurnStopped } from "../gate/run-context.ts";
import type { TurnEnd } from "../threads/thread-actors.ts";
import type { Sources } from "./sources.ts";

export type RunsParts = {
  sources: Pick<Sources, "of">;
  /** Answers were given that only a fresh run can deliver. */
  needsFreshRun(threadId: ThreadId): boolean;
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

export function createRuns(parts: RunsParts): Runs {
  const active = new Map<ThreadId, Active>();

  function considerParking(threadId: ThreadId): void {
    const busy = active.get(threadId)?.context.busy;
    if (busy === 0 && parts.needsFreshRun(threadId)) parts.park(threadId);
  }

  function begin({ thread, turn }: Work, { can }: AgentSource, signal: AbortSignal): Active {
    const failure = new AbortController();
    const context: RunContext = {
      threadId: thread.id,
      turnId: turn.id,
      workspace: thread.workspace,
      mayEdit: can.editArguments,
      signal: AbortSignal.any([signal, failure.signal]),
      subAgents: new Map(),
      busy: 0,
      onQuiet: () => queueMicrotask(() => considerParking(thread.id)),
      finishedMessages: new Set(),
      refusals: new Map(),
    };
    const run = { context, failure };
    active.set(thread.id, run);
    return run;
  }

  function toTurnEnd(end: RunEnd): TurnEnd {
    if (end.kind !== "failed") return end;
    const { error } = end;
    if (!(error instanceof TurnStopped)) return { kind: "failed", ...parts.explainError(error) };
    const { outcome, message: problem } = error;
    return outcome === "stopped"
      ? { kind: "stopped", problem }
      : { kind: "failed", problem, retryable: true };
  }

  return {
    considerParking,
    fail: (threadId, error) => active.get(threadId)?.failure.abort(error),
    async run(work, signal) {
      const source = parts.sources.of(work.thread);
      const { context, failure } = begin(work, source, signal);
      const hasFailed = () => failure.signal.aborted && !signal.aborted;
      const failed = () => toTurnEnd({ kind: "failed", error: failure.signal.reason });
      try {
        const end = await source.run(work, context);
        return hasFailed() ? failed() : toTurnEnd(end);
      } catch (error) {
        if (hasFailed()) return failed();
        if (signal.aborted) return { kind: "stopped" };
        return error instanceof GateParked ? { kind: "waiting" } : toTurnEnd({ kind: "failed", error });
      } finally {
        active.delete(work.thread.id);
      }
    },
  };
}
