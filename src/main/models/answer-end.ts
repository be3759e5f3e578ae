/** How the provider said an answer ended. The clients drop it on their way, so it is noted where it is read off the wire. */
import { AsyncLocalStorage } from "node:async_hooks";

type Noted = { reason: string | undefined };

const storage = new AsyncLocalStorage<Noted>();

/** Runs one model call. @returns with its result the provider's own word for why the answer ended, when it gave one. */
export async function withAnswerEnd<T>(
  call: () => Promise<T>,
): Promise<{ result: T; endedBy: string | undefined }> {
  const noted: Noted = { reason: undefined };
  const result = await storage.run(noted, call);
  return { result, endedBy: noted.reason };
}

/**
 * To be taken where a request is made; a stream may be read in another context. @returns what notes the reason. Of several
 * the first that says the answer broke off stands: what is said after it makes the answer no more whole.
 */
export function answerEndNoter(): (reason: string) => void {
  const noted = storage.getStore();
  return (reason) => {
    if (noted && !isCut(noted.reason)) noted.reason = reason;
  };
}

/** Words of all providers for an answer that is whole; whatever else is said, known or not, is one that is not. */
const whole = new Set(
  "stop tool_calls function_call completed end_turn tool_use stop_sequence eos_token eos".split(" "),
);

/** Whether the answer broke off before its end: a length limit, a filter, or a reason nobody knows. */
export function isCut(endedBy: string | undefined): boolean {
  return endedBy !== undefined && !whole.has(endedBy.toLowerCase());
}

const lengthWords = new Set(
  "length max_tokens max_output_tokens model_length model_context_window_exceeded".split(" "),
);

/** @returns the end of a sentence that says why an answer was cut. */
export function explainCut(endedBy: string): string {
  return lengthWords.has(endedBy.toLowerCase())
    ? "it reached its limit of length"
    : `the provider ended it (“${endedBy.slice(0, 60)}”)`;
}
