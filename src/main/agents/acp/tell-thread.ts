/** Tells the person, in the thread, what they have to know of its agent. */
import type { ThreadId } from "../../../shared/ids.ts";
import type { SourceServices } from "../source.ts";

/** A line of the thread that is no word of the agent. */
export function tellThread(
  { journal: { log } }: Pick<SourceServices, "journal">,
  threadId: ThreadId,
  text: string,
): void {
  const itemId = `outer-notice:${threadId}:${log.lastSeq(threadId)}`;
  log.append(threadId, [{ type: "notice.added", itemId, level: "warning", text }]);
}
