/** What works on turns: the runs of a source, and the actors that start and end them. */
import type { ThreadId } from "../../shared/ids.ts";
import { answersFor, wayOf } from "../approvals/answers.ts";
import { cancelPending } from "../approvals/cancel-pending.ts";
import type { WaitingRoom } from "../approvals/waiting-room.ts";
import type { TurnEnd } from "../threads/drive-turn.ts";
import type { LiveText } from "../threads/live-text.ts";
import { createThreadActors, type ThreadActors } from "../threads/thread-actors.ts";
import type { EffectsParts, EngineEffects } from "./effects.ts";
import { explainRunError } from "./explain-error.ts";
import { createRuns, type Runs } from "./runs.ts";
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
