/**
 * What an outer agent writes during a turn, told as it comes, one message after the other; and how much it may put into a
 * thread and into the queue with one turn: what is more ends the turn.
 */
import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Delta } from "../../../shared/contract/thread-reading.ts";
import type { MessageId } from "../../../shared/ids.ts";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import type { GatedCall } from "../../gate/call.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import { deepestArguments, isDeeperThan } from "../../models/nesting.ts";
import { keptReasoning } from "../../threads/live-text.ts";
import type { SourceServices } from "../source.ts";

/** Messages, calls, notices and changes of its plan; more than any person reads of a turn. */
const mostItems = 5_000;
/** Each is a row of the queue, also where it only words anew what it asked before. */
const mostQuestions = 1_000;
const mostQuestionBytes = 64 * 1024 * 1024;
/** Each stands on the card under a name of its own. */
const mostParts = 500;

/** Ends a turn in which the agent told more than a thread can hold. */
export function tooMuch(of: string): TurnStopped {
  return new TurnStopped(
    "failed",
    `The agent told more ${of} in one turn than a thread can hold, so it was ended.`,
  );
}

/** Each method @throws TurnStopped when it is more than a turn may hold. */
export class TurnBounds {
  #items = 0;
  #questions = 0;
  #questionBytes = 0;

  /** @returns how many items there are with this one */
  countItem(): number {
    this.#items += 1;
    if (this.#items > mostItems) throw tooMuch("steps");
    return this.#items;
  }

  countQuestion(args: unknown): void {
    this.#questions += 1;
    this.#questionBytes += jsonBytes(args);
    if (this.#questions > mostQuestions || this.#questionBytes > mostQuestionBytes) throw tooMuch("requests");
  }

  /** No card can show more, and one that shows less would get a yes for what nobody saw. */
  assertReadable(told: Pick<ToolCallUpdate, "content" | "rawInput">): void {
    if ((told.content?.length ?? 0) > mostParts) throw tooMuch("parts of one call");
    if (isDeeperThan(told, deepestArguments)) throw tooMuch("levels of one call");
  }
}

/** More than any person reads of a turn. */
const mostTextBytes = 600_000;

export class TurnText {
  readonly #place: Pick<GatedCall, "threadId" | "turnId">;
  readonly #services: Pick<SourceServices, "journal" | "onDelta">;
  readonly #nextId: () => string;
  #writing: (Delta & { text: string; reasoning: string }) | undefined;
  #bytes = 0;

  constructor(
    place: Pick<GatedCall, "threadId" | "turnId">,
    services: Pick<SourceServices, "journal" | "onDelta">,
    nextId: () => string,
  ) {
    this.#place = place;
    this.#services = services;
    this.#nextId = nextId;
  }

  /** @throws TurnStopped when it is more than a turn may hold */
  write(part: { text?: string; reasoning?: string }): void {
    this.#bytes += jsonBytes(part);
    if (this.#bytes > mostTextBytes) throw tooMuch("text");
    // Reasoning that follows a text belongs to the next message.
    if (part.reasoning !== undefined && this.#writing?.text) this.finish();
    const { threadId, turnId } = this.#place;
    const before = this.#writing;
    const messageId = before?.messageId ?? (this.#nextId() as MessageId);
    const where = { messageId, turnId, agentPath: [] };
    this.#writing = {
      ...where,
      text: (before?.text ?? "") + (part.text ?? ""),
      reasoning: (before?.reasoning ?? "") + (part.reasoning ?? ""),
    };
    this.#services.onDelta(threadId, { ...where, ...part });
  }

  /** What was written until now is a message, and what comes is another. */
  finish(): void {
    if (!this.#writing) return;
    const { messageId: itemId, turnId, agentPath, text, reasoning } = this.#writing;
    this.#writing = undefined;
    const message = { itemId, turnId, agentPath, text, reasoning: keptReasoning(reasoning || undefined) };
    this.#services.journal.log.append(this.#place.threadId, [
      { type: "message.finished", ...message, partial: false },
    ]);
  }
}
