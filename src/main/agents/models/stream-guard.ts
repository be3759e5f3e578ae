/** Watches a streamed answer on the wire, because the provider clients take a stream that was cut for a finished one. */
import { z } from "zod";
import { interruptedStream, type ModelError, malformedResponse, stripKeys } from "./model-error.ts";

/** How a provider marks the end of its answer. */
export type StreamProtocol = "anthropic" | "openai" | "ollama";

const LONGEST_FRAME = 16 * 1024 * 1024;
const SNIPPET_LENGTH = 80;

const frameSchema = z.looseObject({
  type: z.string().nullish(),
  done: z.boolean().nullish(),
  error: z.unknown().optional(),
  choices: z.array(z.looseObject({ finish_reason: z.string().nullish() })).nullish(),
});
type Frame = z.infer<typeof frameSchema>;

const RESPONSES_ENDINGS = new Set(["response.completed", "response.incomplete", "response.failed", "error"]);

/** Whether a frame ends the answer; an error frame does, the client raises it itself. */
const ENDINGS: Record<StreamProtocol, (frame: Frame) => boolean> = {
  anthropic: (frame) => frame.type === "message_stop" || frame.type === "error",
  openai: (frame) =>
    frame.error != null ||
    RESPONSES_ENDINGS.has(frame.type ?? "") ||
    (frame.choices ?? []).some((choice) => choice.finish_reason != null),
  ollama: (frame) => frame.done === true || frame.error != null,
};

interface StreamGuard {
  protocol: StreamProtocol;
  /** Aborted when the caller gave up: then the stream ends in its own error, not in ours. */
  callerSignal: AbortSignal | undefined;
  /** The longest pause between two pieces, in milliseconds. */
  silenceLimitMs: number;
}

/**
 * Passes on only whole, readable frames, as they come. The stream it returns errors with a ModelError when a frame
 * cannot be read, when the connection breaks or falls silent, and when it ends without the protocol's own ending;
 * everything that arrived before is delivered first.
 */
export function guardStream(
  body: ReadableStream<Uint8Array>,
  guard: StreamGuard,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const inspector = new FrameInspector(guard.protocol);
  const encoder = new TextEncoder();
  let failure: ModelError | undefined;

  // Erroring a stream drops what is queued in it, so a failure waits until the reader took the good part.
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      if (failure) {
        void reader.cancel(failure).catch(() => {});
        return controller.error(failure);
      }
      const piece = await readWithin(reader, guard);
      const step = piece.done ? inspector.end() : inspector.take(piece.value);
      failure = step.failure;
      if (step.readable !== "") controller.enqueue(encoder.encode(step.readable));
      if (piece.done && !failure) return controller.close();
      if (step.readable !== "") return;
    }
  };
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, guard: StreamGuard) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(interruptedStream("stopped coming")), guard.silenceLimitMs);
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

interface Step {
  readable: string;
  failure: ModelError | undefined;
}

class FrameInspector {
  readonly #protocol: StreamProtocol;
  readonly #decoder = new TextDecoder();
  readonly #boundary: RegExp;
  #pending = "";
  #ended = false;
  #readAny = false;

  constructor(protocol: StreamProtocol) {
    this.#protocol = protocol;
    this.#boundary = protocol === "ollama" ? /\r?\n/ : /\r?\n\r?\n/;
  }

  take(bytes: Uint8Array): Step {
    this.#pending += this.#decoder.decode(bytes, { stream: true });
    let readable = "";
    for (;;) {
      const boundary = this.#boundary.exec(this.#pending);
      if (!boundary) break;
      const frame = this.#pending.slice(0, boundary.index);
      if (!this.#inspect(frame)) return { readable, failure: malformedResponse(snippet(frame)) };
      const next = boundary.index + boundary[0].length;
      readable += this.#pending.slice(0, next);
      this.#pending = this.#pending.slice(next);
    }
    const tooLong = this.#pending.length > LONGEST_FRAME;
    return { readable, failure: tooLong ? malformedResponse("one piece is over 16 MB") : undefined };
  }

  end(): Step {
    const rest = this.#pending + this.#decoder.decode();
    const whole = this.#inspect(rest);
    if (whole && this.#ended) return { readable: rest, failure: undefined };
    const begunWell = whole || this.#readAny || /^(?:data|event|id|retry|:)/m.test(rest);
    const failure = begunWell ? interruptedStream("was cut off") : malformedResponse(snippet(rest));
    return { readable: whole ? rest : "", failure };
  }

  /** False when the frame is not what the protocol allows. */
  #inspect(frame: string): boolean {
    const payload = this.#protocol === "ollama" ? frame.trim() : readEventData(frame);
    if (payload === undefined) return false;
    if (payload === "") return true;
    if (payload === "[DONE]") {
      this.#ended = true;
      return true;
    }
    const parsed = frameSchema.safeParse(parseJson(payload));
    if (!parsed.success) return false;
    this.#readAny = true;
    this.#ended ||= ENDINGS[this.#protocol](parsed.data);
    return true;
  }
}

/** The data of a server-sent event, empty for one without; undefined when a line is no field of one. */
function readEventData(frame: string): string | undefined {
  const data: string[] = [];
  for (const line of frame.split(/\r?\n/)) {
    if (line.startsWith("data:")) data.push(line.slice(5).trim());
    else if (line !== "" && !/^(?::|(?:event|id|retry|data)(?::|$))/.test(line)) return undefined;
  }
  return data.join("\n");
}

function parseJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function snippet(frame: string): string {
  const flat = stripKeys(frame).replace(/\s+/g, " ").trim();
  return flat.length > SNIPPET_LENGTH ? `${flat.slice(0, SNIPPET_LENGTH)}…` : flat;
}
