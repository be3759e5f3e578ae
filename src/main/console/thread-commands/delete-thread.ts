/** Removes a thread with everything that is kept for it, after its run has ended. */
import type { ThreadId } from "../../../shared/ids.ts";
import type { ThreadParts } from "./thread-parts.ts";

export async function deleteThread(threadId: ThreadId, parts: ThreadParts): Promise<void> {
  await parts.actors.retire(threadId, new Error("the thread is being deleted"));
  parts.autoApprove.turnOff(threadId, "its thread was deleted");
  await parts.sources.of(parts.store.get(threadId)).forget(threadId);
  await parts.removeData(threadId);
  parts.log.removeThread(threadId);
  parts.store.remove(threadId);
}
