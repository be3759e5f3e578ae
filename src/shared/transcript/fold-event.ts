/** Folds thread events into transcript items, the one reading of the log that host and renderer share. */
import type { ThreadEvent, ThreadEventData } from "../contract/thread-events.ts";
import type { ToolCallItem, TranscriptItem } from "../contract/transcript.ts";

/**
 * Applies one event to the item it belongs to.
 * @returns the new item, or `undefined` when the event changes nothing that is shown
 *   (its item's first event is not loaded, or an approval without a tool call).
 */
export function foldEvent(item: TranscriptItem | undefined, event: ThreadEvent): TranscriptItem | undefined {
  const folded = foldData(item, event);
  if (!folded || !event.leftOut) return folded;
  // A finished message takes the place of what was known of it; any other event adds to its item.
  const before = event.data.type === "message.finished" ? 0 : (item?.leftOut ?? 0);
  return { ...folded, leftOut: before + event.leftOut };
}

function foldData(item: TranscriptItem | undefined, event: ThreadEvent): TranscriptItem | undefined {
  const { data } = event;
  const first = { id: data.itemId, position: event.seq, at: event.at };
  switch (data.type) {
    case "message.sent":
      return {
        ...first,
        kind: "userMessage",
        turnId: data.turnId,
        text: data.text,
        attachments: data.attachments,
        queued: data.queued,
        cancelled: false,
      };
    case "message.dequeued":
      return item?.kind === "userMessage" ? { ...item, queued: false, cancelled: data.cancelled } : undefined;
    case "message.finished": {
      const { type: _type, itemId: _itemId, ...message } = data;
      return { ...(item ? placeOf(item) : first), kind: "agentMessage", ...message };
    }
    case "toolCall.requested": {
      const { type: _type, itemId: _itemId, ...call } = data;
      return item?.kind === "toolCall" ? item : { ...first, kind: "toolCall", ...call, state: "requested" };
    }
    case "plan.changed":
      return { ...(item ? placeOf(item) : first), kind: "plan", turnId: "", todos: data.todos };
    case "turn.finished":
      return {
        ...first,
        kind: "turnEnd",
        turnId: data.turnId,
        outcome: data.outcome,
        problem: data.problem,
        retryable: data.retryable,
      };
    case "turns.takenBack":
      return {
        ...first,
        kind: "takenBack",
        turnId: "",
        turns: data.turns,
        files: data.files,
        broughtBack: false,
      };
    case "turns.broughtBack":
      return item?.kind === "takenBack" ? { ...item, broughtBack: true } : undefined;
    case "notice.added":
      return {
        ...first,
        kind: "notice",
        turnId: "",
        level: data.level,
        text: data.text,
        approvals: data.approvals,
        items: data.items,
      };
    case "approval.requested":
    case "approval.decided":
    case "approval.cancelled":
    case "execution.started":
    case "toolCall.finished":
      return item?.kind === "toolCall" ? foldToolCall(item, data, event.at) : undefined;
  }
}

/** Events that begin an item; any other one belongs to an item that is there, or to none, as a recovery's approval. */
const begins: Record<ThreadEventData["type"], boolean> = {
  "message.sent": true,
  "message.finished": true,
  "toolCall.requested": true,
  "plan.changed": true,
  "turn.finished": true,
  "notice.added": true,
  "turns.takenBack": true,
  "turns.broughtBack": false,
  "message.dequeued": false,
  "approval.requested": false,
  "approval.decided": false,
  "approval.cancelled": false,
  "execution.started": false,
  "toolCall.finished": false,
};

/** Whether an event starts an item of its own, where others change one that is there. */
export function beginsItem({ type }: ThreadEventData): boolean {
  return begins[type];
}

type OfToolCall = Extract<
  ThreadEventData,
  { type: `approval.${string}` | "execution.started" | "toolCall.finished" }
>;

function foldToolCall(item: ToolCallItem, data: OfToolCall, at: number): ToolCallItem {
  switch (data.type) {
    case "approval.requested":
      return {
        ...item,
        state: "waiting",
        approvalId: data.approvalId,
        verdict: data.verdict ?? item.verdict,
      };
    case "approval.decided":
      return {
        ...item,
        state: "decided",
        approvalId: data.approvalId,
        decision: data.decision,
        decidedBy: data.by,
      };
    case "approval.cancelled":
      return { ...item, state: item.state === "finished" ? "finished" : "requested", approvalId: undefined };
    case "execution.started":
      return {
        ...item,
        state: "running",
        executionId: data.executionId,
        width: data.width,
        startedAt: at,
      };
    case "toolCall.finished":
      return {
        ...item,
        state: "finished",
        outcome: data.outcome,
        result: data.result,
        receipt: data.receipt,
        finishedAt: at,
      };
  }
}

function placeOf(item: TranscriptItem) {
  return { id: item.id, position: item.position, at: item.at };
}
