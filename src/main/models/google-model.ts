/** Google's client takes no fetch of ours and hides cut streams; this makes it as honest as the others. */
import { ChatGoogleGenerativeAI, type GoogleGenerativeAIChatInput } from "@langchain/google-genai";
import { giveWay } from "../base/give-way.ts";
import { answerEndNoter } from "./answer-end.ts";
import type { Transport } from "./guarded-fetch.ts";
import { endedAfter, interruptedStream, silentServer } from "./model-error.ts";
import { cutTooDeep } from "./nesting.ts";
import { retryDelayMs } from "./retry-delay.ts";

type StreamedResponse = {
  candidates?: { finishReason?: string }[];
  promptFeedback?: { blockReason?: string };
  usageMetadata?: { cachedContentTokenCount?: number };
};
type StreamedResult = {
  stream: AsyncIterable<StreamedResponse>;
  /** The same answer once more, whole. */
  response: Promise<unknown>;
};
/** The part of the SDK's model the streaming chat model calls. */
type StreamingClient = {
  generateContentStream(request: unknown, options?: { signal?: AbortSignal }): Promise<StreamedResult>;
};

/**
 * Gemini with bounded retries, and streams that fail with a ModelError when they end without a finish reason or fall
 * silent. Retries are made here and not by the base class, which knows nothing of the delay Google asks for.
 */
export class GuardedGoogleModel extends ChatGoogleGenerativeAI {
  constructor(fields: GoogleGenerativeAIChatInput, transport: Transport) {
    super({ ...fields, streaming: true, maxRetries: 0 });
    const client: StreamingClient = Reflect.get(this, "client");
    const ask = client.generateContentStream.bind(client);
    client.generateContentStream = (request, options) =>
      askWithRetries(ask, request, options?.signal, transport);
  }

  static override lc_name(): string {
    return "ChatGoogleGenerativeAI";
  }
}

async function askWithRetries(
  ask: StreamingClient["generateContentStream"],
  request: unknown,
  callerSignal: AbortSignal | undefined,
  transport: Transport,
): Promise<StreamedResult> {
  const noteEnd = answerEndNoter();
  for (let attempt = 0; ; attempt++) {
    // The SDK listens for an abort but overlooks one that already happened.
    callerSignal?.throwIfAborted();
    const silence = new AbortController();
    const signal = AbortSignal.any([silence.signal, ...(callerSignal ? [callerSignal] : [])]);
    const timer = setTimeout(() => silence.abort(), transport.silenceLimitMs);
    try {
      const { stream, response } = await ask(request, { signal });
      // Nobody reads the whole answer; unhandled, its rejection would end the process when a stream is cut.
      response.catch(() => {});
      return { stream: guardResponses(stream, silence, transport, noteEnd), response };
    } catch (error) {
      if (silence.signal.aborted) throw silentServer(transport.silenceLimitMs);
      const delayMs = attempt < transport.maxRetries ? refusalDelayMs(error, attempt) : undefined;
      if (delayMs === undefined) throw error;
      await transport.wait(delayMs, callerSignal);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Each response tells the cached tokens of the prompt again; the client adds them up, so they are told once. */
async function* guardResponses(
  responses: AsyncIterable<StreamedResponse>,
  silence: AbortController,
  { silenceLimitMs, wholeLimitMs }: Pick<Transport, "silenceLimitMs" | "wholeLimitMs">,
  noteEnd: (reason: string) => void,
): AsyncGenerator<StreamedResponse> {
  const pause = () => setTimeout(() => silence.abort(), silenceLimitMs);
  let finished = false;
  let cachedTold = false;
  let timer = pause();
  let how = "stopped coming";
  const whole = setTimeout(() => {
    how = endedAfter(wholeLimitMs);
    silence.abort();
  }, wholeLimitMs);
  try {
    for await (const response of responses) {
      clearTimeout(timer);
      cutTooDeep(response);
      const reason =
        response.promptFeedback?.blockReason ??
        response.candidates?.find((candidate) => candidate.finishReason !== undefined)?.finishReason;
      finished ||= reason !== undefined;
      if (reason !== undefined) noteEnd(reason);
      if (cachedTold) delete response.usageMetadata?.cachedContentTokenCount;
      cachedTold ||= response.usageMetadata?.cachedContentTokenCount !== undefined;
      await giveWay();
      yield response;
      timer = pause();
    }
  } catch (error) {
    throw silence.signal.aborted ? interruptedStream(how, error) : error;
  } finally {
    clearTimeout(whole);
    clearTimeout(timer);
  }
  if (!finished) throw interruptedStream("was cut off");
}

/** Google's error carries no headers; the pause it asks for stands in the details, as seconds ("34s"). */
function refusalDelayMs(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return undefined;
  const details = "errorDetails" in error ? JSON.stringify(error.errorDetails) : "";
  const seconds = /"retryDelay":"([\d.]+)s"/.exec(details ?? "")?.[1];
  const hintMs = seconds === undefined ? undefined : Number(seconds) * 1_000;
  return retryDelayMs(error.status, attempt, hintMs, error.message);
}
