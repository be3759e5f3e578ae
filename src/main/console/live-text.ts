/** The text of messages that are being written right now, for a window that opens in the middle of one. */
import type { Delta } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { joinDeltas } from "../../shared/transcript/join-deltas.ts";
import type { Change } from "../threads/changes.ts";

export type LiveText = {
  hear(change: Change): void;
  of(threadId: ThreadId): Delta[];
};

export function createLiveText(): LiveText {
  const live = new Map<ThreadId, Map<string, Delta>>();
  return {
    hear(change) {
      if (change.kind === "delta") {
        const messages = live.get(change.threadId) ?? new Map<string, Delta>();
        live.set(change.threadId, messages);
        messages.set(change.delta.messageId, joinDeltas(messages.get(change.delta.messageId), change.delta));
      } else if (change.kind === "events") {
        for (const { data } of change.events) {
          if (data.type === "message.finished") live.get(change.threadId)?.delete(data.itemId);
          if (data.type === "turn.finished") live.delete(change.threadId);
        }
      }
    },
    of: (threadId) => [...(live.get(threadId)?.values() ?? [])],
  };
}
