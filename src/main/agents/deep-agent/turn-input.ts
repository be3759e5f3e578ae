/** What a graph is given to work on a turn: the person's message, or the answers that its last checkpoint waits for. */
import type { Attachment } from "../../../shared/contract/threads.ts";
import type { TurnRow } from "../../threads/turn-store.ts";
import type { Work } from "../source.ts";
import type { ForeignInterrupt } from "./foreign-interrupts.ts";
import type { Graph, GraphState, RunInput } from "./run-turn.ts";

export type TurnInputParts = {
  /** Decided answers for the interrupts a checkpoint waits on, keyed by interrupt id. */
  answersTo(waiting: ForeignInterrupt[]): Record<string, unknown>;
  noteCheckpoint(turn: TurnRow, checkpointId: string | null): void;
};

/** What a run of this turn begins with, by how far the thread's last checkpoint got. */
export async function readTurnInput(
  graph: Graph,
  { thread, turn, how }: Work,
  parts: TurnInputParts,
): Promise<RunInput> {
  const state = await graph.getState({ configurable: { thread_id: thread.id } });
  if (how === "continue" && hasBegun(state, turn)) {
    const waiting = state.tasks
      .filter((task) => task.result === undefined)
      .flatMap((task) => task.interrupts ?? [])
      .flatMap(({ id, value }) => (id ? [{ id, value }] : []));
    return { kind: "continue", answers: parts.answersTo(waiting) };
  }
  const checkpointId: unknown = state.config.configurable?.checkpoint_id;
  parts.noteCheckpoint(turn, typeof checkpointId === "string" ? checkpointId : null);
  return { kind: "message", content: toContent(turn), messageId: turn.messageId };
}

/** A crash may have come between the turn's row and its first checkpoint; then the message has to be sent again. */
function hasBegun(state: GraphState, turn: TurnRow): boolean {
  const messages: unknown =
    state.values && typeof state.values === "object" && "messages" in state.values
      ? state.values.messages
      : [];
  return (
    Array.isArray(messages) &&
    messages.some(
      (message: unknown) =>
        typeof message === "object" && message !== null && "id" in message && message.id === turn.messageId,
    )
  );
}

function toContent(turn: TurnRow): unknown {
  if (turn.attachments.length === 0) return turn.text;
  return [{ type: "text", text: turn.text }, ...turn.attachments.map(toBlock)];
}

function toBlock(attachment: Attachment): Record<string, unknown> {
  if (attachment.kind === "file")
    return {
      type: "text",
      text: `The person attached the file ${attachment.path}. Read it when you need it.`,
    };
  return { type: "image", mimeType: attachment.mediaType, data: attachment.base64 };
}
