/** Brings a decision to what waits for it: once, and one way. */
import { wayOf } from "../approvals/answers.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { WaitingRoom } from "../approvals/waiting-room.ts";
import type { ThreadActors } from "../threads/thread-actors.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import type { Runs } from "./work.ts";

export type WakeParts = {
  room: Pick<WaitingRoom, "wake">;
  runs: Pick<Runs, "considerParking">;
  actors: Pick<ThreadActors, "isRunning" | "resume">;
  threads: Pick<ThreadStore, "currentTurn">;
  /** Hands it to the source of its thread, which no run of ours works for. */
  deliver(row: ApprovalRow): void;
};

/** Called when nothing can take the decision back any more. */
export function wake({ room, runs, actors, threads, deliver }: WakeParts, row: ApprovalRow): void {
  const { id, threadId } = row;
  if (wayOf(row) === "hook") room.wake(id);
  else if (wayOf(row) === "server") deliver(row);
  else if (!actors.isRunning(threadId)) {
    // A person may have stopped the turn while the grace lasted; then nothing wakes it.
    if (threads.currentTurn(threadId)) actors.resume(threadId);
  } else if (wayOf(row) === "seat") room.wake(id);
  // What goes on in the run goes on; at rest it makes way for one that takes the answer.
  else runs.considerParking(threadId);
}
