/** Google's client takes no fetch of ours, hides cut streams and reads each piece as often as it has parts; here it only writes requests and understands answers. */
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { readEventData } from "./answer-frames.ts";

/** One piece of an answer, as the chat model reads it. */
type StreamedResponse = {
  usageMetadata?: { cachedContentTokenCount?: number };
  /** Instead of a piece: what went wrong in the middle of it. */
  error?: { code?: number };
};
/** The part of the SDK's model the streaming chat model calls. */
type StreamingClient = {
  generateContentStream(
    request: unknown,
    options?: { signal?: AbortSignal },
  ): Promise<{ stream: AsyncIterable<StreamedResponse> }>;
};

type Connection = { model: string; apiKey: string; baseUrl: string };

/** Gemini over a fetch of ours: what that retries, guards and cuts is as for every other provider. */
export class GuardedGoogleModel extends ChatGoogleGenerativeAI {
  /** @param send a guarded fetch: what it streams are whole events. */
  constructor(connection: Connection, send: typeof fetch) {
    super({ ...connection, streaming: true, maxRetries: 0 });
    const client: StreamingClient = Reflect.get(this, "client");
    client.generateContentStream = async (request, options) => {
      options?.signal?.throwIfAborted();
      const body = await ask(send, connection, request, options?.signal);
      return { stream: readResponses(body) };
    };
  }

  static override lc_name(): string {
    return "ChatGoogleGenerativeAI";
  }
}

async function ask(
  send: typeof fetch,
  { model, apiKey, baseUrl }: Connection,
  request: unknown,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const name = model.includes("/") ? model : `models/${model}`;
  const response = await send(`${baseUrl}/v1beta/${name}:streamGenerateContent?alt=sse`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": apiKey },
    body: JSON.stringify(request),
    ...(signal && { signal }),
  });
  if (response.ok && response.body) return response.body;
  throw refusalOf(await response.text(), response.status);
}

/** With the status and the provider's own words, by which errors are told apart. */
function refusalOf(said: string, status: number | undefined): Error {
  return Object.assign(new Error(messageIn(said)), { status });
}

function messageIn(said: string): string {
  try {
    const { message, details } = (JSON.parse(said) as { error: { message: string; details?: unknown } })
      .error;
    return details === undefined ? message : `${message} ${JSON.stringify(details)}`;
  } catch {
    return said;
  }
}

/** Each response tells the cached tokens of the prompt again; the client adds them up, so they are told once. */
async function* readResponses(events: ReadableStream<Uint8Array>): AsyncGenerator<StreamedResponse> {
  const decoder = new TextDecoder();
  let cachedTold = false;
  for await (const whole of events) {
    for (const event of decoder.decode(whole).split(/\r?\n\r?\n/)) {
      const data = readEventData(event);
      if (!data || data === "[DONE]") continue;
      const response: StreamedResponse = JSON.parse(data);
      if (response.error) throw refusalOf(data, response.error.code);
      if (cachedTold) delete response.usageMetadata?.cachedContentTokenCount;
      cachedTold ||= response.usageMetadata?.cachedContentTokenCount !== undefined;
      yield response;
    }
  }
}
