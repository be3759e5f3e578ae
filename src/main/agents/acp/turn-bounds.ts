/** How much an outer agent may put into a thread and into the queue with one turn; what is more ends the turn. */
import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import { deepestArguments, isDeeperThan } from "../../models/nesting.ts";

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
