/** What an outer agent writes during a turn: told as it comes, one message after the other, and so much of it. */
import type { Delta } from "../../../shared/contract/thread-reading.ts";
import type { MessageId } from "../../../shared/ids.ts";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import type { GatedCall } from "../../gate/call.ts";
import { keptReasoning } from "../../threads/live-text.ts";
import type { SourceServices } from "../source.ts";
import { tooMuch } from "./turn-bounds.ts";

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
