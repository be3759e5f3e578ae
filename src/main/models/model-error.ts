/** The one error a model call ends with: a code to act on, and a sentence that says what to do next. */

export type ModelErrorCode =
  | "missing-key"
  | "wrong-key"
  | "rate-limited"
  | "unreachable"
  | "interrupted-stream"
  | "malformed-response"
  | "unknown-model"
  | "context-too-long"
  | "other";

/** Thrown or classified; `retryable` says whether the same call may work later with nothing changed. */
export class ModelError extends Error {
  override name = "ModelError";
  readonly code: ModelErrorCode;
  readonly retryable: boolean;

  /** @param message plain English without any key in it, ending with what to do next. */
  constructor(code: ModelErrorCode, message: string, details: { retryable: boolean; cause?: unknown }) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retryable = details.retryable;
  }
}

/** An answer that broke off: what arrived of it is real, but it is not the whole answer. */
export function interruptedStream(how: string, cause?: unknown): ModelError {
  const message = `The model's answer ${how} before it was complete. What arrived is kept; retry to ask again.`;
  return new ModelError("interrupted-stream", message, { retryable: true, cause });
}

/** How an answer without an end was interrupted. */
export function endedAfter(wholeLimitMs: number): string {
  return `was ended after ${Math.round(wholeLimitMs / 60_000)} minutes`;
}

/** A server that took the request and sent nothing back. */
export function silentServer(silenceLimitMs: number): ModelError {
  // Without the word "timeout": the OpenAI client looks for it and then throws this error away.
  const seconds = Math.round(silenceLimitMs / 1_000);
  const message = `The model's server did not answer within ${seconds} s. Check that it runs and is not busy, then retry.`;
  return new ModelError("unreachable", message, { retryable: true });
}

/** An answer that is not what the provider's protocol allows. */
export function malformedResponse(detail: string, cause?: unknown): ModelError {
  const message = `The model's server sent something that could not be read${detail ? ` (${detail})` : ""}. Retry; if it happens again, check the base URL.`;
  return new ModelError("malformed-response", message, { retryable: true, cause });
}

const keyShapes: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|key|pplx|hf|nvapi)[-_][\w*-]{6,}/gi,
  /\bAIza[\w-]{10,}/g,
  /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi,
  /((?:x-(?:goog-)?api-key|api[-_]?key|authorization)["']?\s*[:=]\s*["']?)[^\s"',&]{6,}/gi,
  /([?&](?:key|api_key|token)=)[^&\s"']+/gi,
];

/** Takes everything out of a text that looks like an API key. */
export function stripKeys(text: string): string {
  return keyShapes.reduce(
    (stripped, shape) =>
      stripped.replace(shape, (_match, label: unknown) => `${labelOf(label)}[key removed]`),
    text,
  );
}

/** A shape's first group, where it has one, names the key and may stay; without one this is the match's offset. */
function labelOf(group: unknown): string {
  if (typeof group !== "string") return "";
  return /^(?:bearer|basic)$/i.test(group) ? `${group} ` : group;
}
