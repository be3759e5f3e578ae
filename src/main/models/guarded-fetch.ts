/** The fetch the provider clients are given: bounded retries, a limit on silence, and no stream that ends too early. */
import { setTimeout as sleep } from "node:timers/promises";
import { answerEndNoter } from "./answer-end.ts";
import type { StreamProtocol } from "./answer-frames.ts";
import { malformedResponse, silentServer } from "./model-error.ts";
import { backoffMs, readRetryAfterMs, readRetryInfoMs, retryDelayMs } from "./retry-delay.ts";
import { guardStream } from "./stream-guard.ts";

/** How model calls travel; tests replace parts of it. */
export type Transport = {
  fetch: typeof fetch;
  /** Waits before a retry; rejects when the signal aborts. */
  wait: (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
  maxRetries: number;
  /** The longest pause before the first byte, and between two pieces of an answer. */
  silenceLimitMs: number;
  /** The longest one answer may take from its first byte, whatever comes. */
  wholeLimitMs: number;
};

export const defaultTransport: Transport = {
  fetch: (input, init) => globalThis.fetch(input, init),
  wait: (delayMs, signal) => sleep(delayMs, undefined, { signal }),
  maxRetries: 3,
  // Node's own fetch gives up after as long; reasoning models are silent for minutes.
  silenceLimitMs: 300_000,
  // The longest answers there are take a third of it.
  wholeLimitMs: 1_800_000,
};

const transientNetwork = /ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT/;

/**
 * Builds a fetch for one provider. It answers like fetch; a streamed body is guarded as `guardStream` says, and a
 * refusal's text comes back without the key in it.
 */
export function createGuardedFetch(
  protocol: StreamProtocol,
  apiKey: string | undefined,
  transport: Transport,
): typeof fetch {
  return async (input, init) => {
    const callerSignal = init?.signal ?? undefined;
    const noteEnd = answerEndNoter();
    for (let attempt = 0; ; attempt++) {
      const mayRetry = attempt < transport.maxRetries;
      const outcome = await attemptOnce(transport, input, init);
      if (outcome instanceof Response && outcome.ok) {
        if (!asksForStream(protocol, init)) return outcome;
        if (!outcome.body) throw malformedResponse("an answer without a body");
        const { silenceLimitMs, wholeLimitMs } = transport;
        const guard = { protocol, callerSignal, silenceLimitMs, wholeLimitMs, noteEnd };
        const body = guardStream(outcome.body, guard);
        return new Response(body, { status: outcome.status, headers: bodyHeaders(outcome) });
      }
      const refusal = outcome instanceof Response ? await readRefusal(outcome, apiKey) : undefined;
      const delayMs = refusal ? refusal.delayMs(attempt) : networkDelayMs(outcome, attempt);
      if (mayRetry && delayMs !== undefined) {
        await transport.wait(delayMs, callerSignal);
        continue;
      }
      if (refusal) return refusal.response;
      throw outcome;
    }
  };
}

/** The response, or what the request failed with; throws only when the caller gave up. */
async function attemptOnce(
  transport: Transport,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response | unknown> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), transport.silenceLimitMs);
  const signals = [silence.signal, ...(init?.signal ? [init.signal] : [])];
  try {
    return await transport.fetch(input, { ...init, signal: AbortSignal.any(signals) });
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    return silence.signal.aborted ? silentServer(transport.silenceLimitMs) : error;
  } finally {
    clearTimeout(timer);
  }
}

function networkDelayMs(error: unknown, attempt: number): number | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  return transientNetwork.test(code) ? backoffMs(attempt) : undefined;
}

async function readRefusal(response: Response, apiKey: string | undefined) {
  const said = await response.text().catch(() => "");
  const text = apiKey ? said.replaceAll(apiKey, "[key removed]") : said;
  const { status } = response;
  return {
    response: new Response(text, { status, statusText: response.statusText, headers: bodyHeaders(response) }),
    delayMs(attempt: number) {
      const hintMs = readRetryAfterMs(response.headers) ?? readRetryInfoMs(text);
      return retryDelayMs(status, attempt, hintMs, text);
    },
  };
}

/** The body was decoded and may have changed, so the headers that measure it no longer hold. */
function bodyHeaders(response: Response): Headers {
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  headers.delete("content-encoding");
  return headers;
}

/** Google's own address says it, and nothing but streams is asked for there. */
function asksForStream(protocol: StreamProtocol, init: RequestInit | undefined): boolean {
  if (protocol === "google") return true;
  return typeof init?.body === "string" && /"stream":\s*true/.test(init.body);
}
