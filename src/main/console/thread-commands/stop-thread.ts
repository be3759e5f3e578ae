/** Ends the turn of a thread because a person wants it to end. */
import type { ThreadId } from "../../../shared/ids.ts";
import type { ThreadParts } from "./thread-parts.ts";

export function stopThread(threadId: ThreadId, { actors }: Pick<ThreadParts, "actors">): Promise<void> {
  return actors.stop(threadId, new Error("You stopped the turn."));
}
