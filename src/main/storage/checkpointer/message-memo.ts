/** Remembers which message object is already stored, so that a long history is not serialised at every step. */
import type { BaseMessage } from "@langchain/core/messages";
import type { ThreadEntry } from "./thread-index.ts";

type Remembered = {
  readonly owner: ThreadEntry;
  readonly seq: number;
  readonly id: unknown;
  readonly content: unknown;
  readonly toolCalls: unknown;
};

/**
 * Messages are mutable and are mutated: human-in-the-loop reassigns `tool_calls` of a message that is in the
 * state. An entry therefore counts only while the fields it was taken from are the same objects.
 */
export class MessageMemo {
  readonly #seen = new WeakMap<object, Remembered>();

  /** @returns the stored number of a message that has not changed since, or undefined; also for what is no object. */
  recall(owner: ThreadEntry, message: BaseMessage): number | undefined {
    const known = this.#seen.get(message);
    if (known === undefined || known.owner !== owner) return undefined;
    const same =
      known.content === message.content &&
      known.id === message.id &&
      known.toolCalls === (message as { tool_calls?: unknown }).tool_calls;
    return same ? known.seq : undefined;
  }

  remember(owner: ThreadEntry, message: BaseMessage, seq: number): void {
    const toolCalls = (message as { tool_calls?: unknown }).tool_calls;
    this.#seen.set(message, { owner, seq, id: message.id, content: message.content, toolCalls });
  }
}
