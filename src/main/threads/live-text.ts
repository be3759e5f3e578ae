/** The text of messages that are being written right now: for a window that opens in the middle of one, and for what is kept of one that nobody finishes. */
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { Delta } from "../../shared/contract/thread-reading.ts";
import type { MessageId, ThreadId } from "../../shared/ids.ts";
import { joinDeltas } from "../../shared/transcript/join-deltas.ts";
import { shortenText } from "../../shared/wire/shorten.ts";
import type { Change } from "./changes.ts";

export type LiveText = {
  hear(change: Change): void;
  of(threadId: ThreadId): Delta[];
  /** What was written of the thread's messages until now, as messages that broke off. */
  brokenOff(threadId: ThreadId): ThreadEventData[];
};

/** Deltas of messages that have not finished, added up in memory; gone with the process. */
export function createLiveText(): LiveText {
  const live = new Map<ThreadId, Map<string, Delta>>();
  const of = (threadId: ThreadId) => [...(live.get(threadId)?.values() ?? [])];
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
    of,
    brokenOff: (threadId) => of(threadId).flatMap(toMessage),
  };
}

function toMessage({ messageId, text = "", reasoning, toolName: _, ...place }: Delta): ThreadEventData[] {
  if (!text && !reasoning) return [];
  const itemId = messageId as MessageId;
  return [
    { type: "message.finished", ...place, itemId, text, reasoning: keptReasoning(reasoning), partial: true },
  ];
}

/** What the log keeps of it; whoever reasons without an end has said enough by then. */
export function keptReasoning(text: string | undefined): string | undefined {
  return text === undefined ? undefined : shortenText(text, 200_000);
}
