/** When to ask a provider again, and how long to wait before: the bound on every model call's retries. */

const retryableStatuses = new Set([408, 429, 500, 502, 503, 504, 529]);
const firstDelayMs = 500;
const longestBackoffMs = 8_000;
/** A provider that wants a longer pause is not waited for: the person should know, and decide. */
const longestHintMs = 60_000;
/** How providers say that the account is empty, which no pause mends. */
export const quotaGone =
  /insufficient[_ ]quota|exceeded your current quota|billing|credit balance|out of credits/i;

/**
 * How long to wait before asking again after a refusal.
 * @param attempt 0 after the first failure.
 * @param hintMs what the provider asked for, which wins over our own backoff.
 * @returns milliseconds, or undefined when asking again is pointless.
 */
export function retryDelayMs(
  status: number,
  attempt: number,
  hintMs: number | undefined,
  said: string,
): number | undefined {
  if (!retryableStatuses.has(status) || (status === 429 && quotaGone.test(said))) return undefined;
  if (hintMs === undefined) return backoffMs(attempt);
  return hintMs <= longestHintMs ? hintMs : undefined;
}

/** Doubles with every attempt; half of it is random, so that many agents do not come back at once. */
export function backoffMs(attempt: number): number {
  const ceiling = Math.min(firstDelayMs * 2 ** attempt, longestBackoffMs);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}

/** Reads `retry-after-ms` and `retry-after` (seconds or a date); undefined when neither says anything. */
export function readRetryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Google says it in the body, as seconds ("34s"). */
export function readRetryInfoMs(said: string): number | undefined {
  const seconds = /"retryDelay":\s*"([\d.]+)s"/.exec(said)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
