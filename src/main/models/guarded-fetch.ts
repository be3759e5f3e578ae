/** The fetch the provider clients are given: bounded retries, a limit on silence, and no stream that ends too early. */
import { setTimeout as sleep } from "node:timers/promises";
import { giveWay } from "../base/give-way.ts";
import { answerEndNoter } from "./answer-end.ts";
import { FrameInspector, type StreamProtocol } from "./answer-frames.ts";
import {
  endedAfter,
  interruptedStream,
  type ModelError,
  malformedResponse,
  silentServer,
} from "./model-error.ts";
import { backoffMs, readRetryAfterMs, readRetryInfoMs, retryDelayMs } from "./retry-delay.ts";

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
    const sent = init && { ...init, body: withoutHalves(init.body) };
    for (let attempt = 0; ; attempt++) {
      const mayRetry = attempt < transport.maxRetries;
      const outcome = await attemptOnce(transport, input, sent);
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

const escapes = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u(d[89a-f][0-9a-f]{2})|[\s\S])/gi;

/**
 * Providers refuse a request with half of a character in it, and since it stands in the conversation, every later one.
 * A tool gave it, or a cut left it; JSON has it as an escape without its other half.
 */
function withoutHalves(body: RequestInit["body"]): RequestInit["body"] {
  if (typeof body !== "string" || !/\\ud[89a-f]/i.test(body)) return body;
  return body.replace(escapes, (all, half?: string) => (half === undefined ? all : "\ufffd"));
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

/** More than any model says at once: what goes on beyond has lost its end. */
const longestAnswer = 64 * 1024 * 1024;
type StreamGuard = {
  protocol: StreamProtocol;
  /** Told the provider's word for why the answer ended. */
  noteEnd: (reason: string) => void;
  /** Aborted when the caller gave up: then the stream ends in its own error, not in ours. */
  callerSignal: AbortSignal | undefined;
  /** The longest pause between two pieces that say something, in milliseconds; a ping says nothing. */
  silenceLimitMs: number;
  /** The longest an answer may take from its first byte, in milliseconds. */
  wholeLimitMs: number;
};

/**
 * Passes on only whole, readable frames, as they come. The stream it returns errors with a ModelError when a frame
 * cannot be read, when the connection breaks or falls silent, when there is no end to it, and when it ends without the
 * protocol's own ending;
 * everything that arrived before is delivered first.
 */
export function guardStream(
  body: ReadableStream<Uint8Array>,
  guard: StreamGuard,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const inspector = new FrameInspector(guard);
  const encoder = new TextEncoder();
  let failure: ModelError | undefined;
  const beganAt = performance.now();
  let saidAt = beganAt;
  let bytes = 0;

  // Erroring a stream drops what is queued in it, so a failure waits until the reader took the good part.
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    // A fast server's answer is in the socket already, and would be read to its end in one turn.
    await giveWay();
    for (;;) {
      if (failure) {
        void reader.cancel(failure).catch(() => {});
        return controller.error(failure);
      }
      const piece = await readWithin(reader, guard, saidAt, beganAt);
      const step = piece.done ? inspector.end() : inspector.take(piece.value);
      if (step.says) saidAt = performance.now();
      bytes += piece.value?.length ?? 0;
      failure =
        step.failure ?? (bytes > longestAnswer ? interruptedStream("was ended after 64 MB") : undefined);
      if (step.readable !== "") controller.enqueue(encoder.encode(step.readable));
      if (piece.done && !failure) return controller.close();
      if (step.readable !== "") return;
    }
  };
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  guard: StreamGuard,
  saidAt: number,
  beganAt: number,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silenceAt = saidAt + guard.silenceLimitMs;
  const endAt = beganAt + guard.wholeLimitMs;
  const how = silenceAt < endAt ? "stopped coming" : endedAfter(guard.wholeLimitMs);
  const silence = new Promise<never>((_, reject) => {
    const leftMs = Math.max(0, Math.min(silenceAt, endAt) - performance.now());
    timer = setTimeout(() => reject(interruptedStream(how)), leftMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    void reader.cancel(error).catch(() => {});
    if (guard.callerSignal?.aborted) throw error;
    throw error instanceof Error && error.name === "ModelError"
      ? error
      : interruptedStream("was cut off", error);
  } finally {
    clearTimeout(timer);
  }
}
