/** The frames of a streamed answer, by the protocol of its provider: which are whole and readable, which says something, and which ends it. */
import { z } from "zod";
import { parseJson } from "../base/parse-json.ts";
import { interruptedStream, type ModelError, malformedResponse, stripKeys } from "./model-error.ts";
import { cutTooDeep } from "./nesting.ts";
import { PendingFrame } from "./pending-frame.ts";

/** How a provider marks the end of its answer. */
export type StreamProtocol = "anthropic" | "openai" | "google" | "ollama";

/** Several times what of an answer is kept, also where each character of it is escaped; its longest strings are cut. */
const longestFrame = 4 * 1024 * 1024;
const snippetLength = 80;

const frameSchema = z.looseObject({
  type: z.string().nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  error: z.unknown().optional(),
  choices: z.array(z.looseObject({ finish_reason: z.string().nullish() })).nullish(),
  candidates: z.array(z.looseObject({ finishReason: z.string().nullish() })).nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
  delta: z.looseObject({ stop_reason: z.string().nullish() }).nullish().catch(null),
  response: z
    .looseObject({ incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish() })
    .nullish()
    .catch(null),
});
type Frame = z.infer<typeof frameSchema>;

const responsesEndings = new Set(["response.completed", "response.incomplete", "response.failed", "error"]);

/** Whether a frame ends the answer; an error frame does, the client raises it itself. */
const endings: Record<StreamProtocol, (frame: Frame) => boolean> = {
  anthropic: (frame) => frame.type === "message_stop" || frame.type === "error",
  openai: (frame) =>
    frame.error != null ||
    responsesEndings.has(frame.type ?? "") ||
    (frame.choices ?? []).some((choice) => choice.finish_reason != null),
  google: (frame) => googleReason(frame) != null || frame.error != null,
  ollama: (frame) => frame.done === true || frame.error != null,
};

/** The provider's word for why the answer ended, in the frame that says so. */
const reasons: Record<StreamProtocol, (frame: Frame) => string | null | undefined> = {
  anthropic: (frame) => frame.delta?.stop_reason,
  openai: (frame) => {
    if (frame.type === "response.completed") return "completed";
    if (frame.type === "response.incomplete")
      return frame.response?.incomplete_details?.reason ?? "incomplete";
    return frame.choices?.find((choice) => choice.finish_reason != null)?.finish_reason;
  },
  google: googleReason,
  ollama: (frame) => frame.done_reason,
};

/** A prompt that is refused has no answer whose end could be told. */
function googleReason({ promptFeedback, candidates }: Frame): string | null | undefined {
  return (
    promptFeedback?.blockReason ??
    candidates?.find((candidate) => candidate.finishReason != null)?.finishReason
  );
}

type Step = {
  readable: string;
  failure: ModelError | undefined;
  /** Whether something of the answer was in it. */
  says: boolean;
};

/** Reads the frames of one answer as its pieces come. */
export class FrameInspector {
  readonly #protocol: StreamProtocol;
  readonly #noteEnd: (reason: string) => void;
  readonly #decoder = new TextDecoder();
  readonly #boundary: RegExp;
  readonly #pending = new PendingFrame((text) => this.#findBoundary(text));
  #ended = false;
  #roleSaid = false;
  #readAny = false;
  #says = false;

  /** @param noteEnd told the provider's word for why the answer ended */
  constructor({ protocol, noteEnd }: { protocol: StreamProtocol; noteEnd: (reason: string) => void }) {
    this.#protocol = protocol;
    this.#noteEnd = noteEnd;
    this.#boundary = protocol === "ollama" ? /\r?\n/g : /\r?\n\r?\n/g;
  }

  take(bytes: Uint8Array): Step {
    const read = this.#decoder.decode(bytes, { stream: true });
    this.#says = false;
    let readable = "";
    if (this.#pending.endsIn(read)) {
      const text = this.#pending.end(read);
      let from = 0;
      for (let boundary = this.#findBoundary(text); boundary; boundary = this.#findBoundary(text, from)) {
        const frame = text.slice(from, boundary.index);
        const passed = this.#inspect(frame);
        if (passed === undefined) return { readable, failure: malformedResponse(snippet(frame)), says: true };
        readable += passed + boundary[0];
        from = boundary.index + boundary[0].length;
      }
      this.#pending.keep(text.slice(from));
    } else this.#pending.keep(read);
    const tooLong = this.#pending.length > longestFrame;
    // A long piece comes in many reads, and each of them is some of it.
    const says = this.#says || (this.#pending.length > 0 && !this.#pending.isComment);
    return { readable, failure: tooLong ? malformedResponse("one piece is over 4 MB") : undefined, says };
  }

  #findBoundary(text: string, from = 0): RegExpExecArray | null {
    this.#boundary.lastIndex = from;
    return this.#boundary.exec(text);
  }

  end(): Step {
    const rest = this.#pending.end(this.#decoder.decode());
    const passed = this.#inspect(rest);
    const whole = passed !== undefined;
    if (whole && this.#ended) return { readable: passed, failure: undefined, says: true };
    const begunWell = whole || this.#readAny || /^(?:data|event|id|retry|:)/m.test(rest);
    const failure = begunWell ? interruptedStream("was cut off") : malformedResponse(snippet(rest));
    return { readable: passed ?? "", failure, says: true };
  }

  /** The frame as the client may have it, or undefined when it is not what the protocol allows. */
  #inspect(frame: string): string | undefined {
    const payload = this.#protocol === "ollama" ? frame.trim() : readEventData(frame);
    if (payload === undefined) return undefined;
    if (payload === "") return frame;
    if (payload === "[DONE]") {
      this.#ended = true;
      return frame;
    }
    const data = parseJson(payload);
    let isChanged = cutTooDeep(data);
    const parsed = frameSchema.safeParse(data);
    if (!parsed.success) return undefined;
    if (this.#protocol === "openai" && parsed.data.choices?.length) {
      isChanged = claimForAssistant(data, this.#roleSaid) || isChanged;
      this.#roleSaid = true;
    }
    this.#readAny = true;
    this.#says ||= parsed.data.type !== "ping";
    this.#ended ||= endings[this.#protocol](parsed.data);
    const reason = reasons[this.#protocol](parsed.data);
    if (reason) this.#noteEnd(reason);
    if (!isChanged) return frame;
    return this.#protocol === "ollama" ? JSON.stringify(data) : withEventData(frame, JSON.stringify(data));
  }
}

/** The data of a server-sent event, empty for one without; undefined when a line is no field of one. */
export function readEventData(frame: string): string | undefined {
  const data: string[] = [];
  for (const line of frame.split(/\r?\n/)) {
    if (line.startsWith("data:")) data.push(line.slice(5).trim());
    else if (line !== "" && !/^(?::|(?:event|id|retry|data)(?::|$))/.test(line)) return undefined;
  }
  return data.join("\n");
}

/** The same event with other data, which is on one line. */
function withEventData(frame: string, data: string): string {
  const others = frame.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("data:"));
  return [...others, `data: ${data}`].join("\n");
}

function snippet(frame: string): string {
  const flat = stripKeys(frame).replace(/\s+/g, " ").trim();
  return flat.length > snippetLength ? `${flat.slice(0, snippetLength)}…` : flat;
}

const deltasSchema = z.object({ choices: z.array(z.object({ delta: z.record(z.string(), z.unknown()) })) });

/**
 * The words are the assistant's, whatever a server that speaks like OpenAI calls them, or forgets to.
 * The client takes an answer by another role, or by none, for something else than an answer, and no agent goes on with it.
 * @param isSaid an earlier frame of the same answer said its role.
 * @returns whether `frame`, as JSON gave it, had to be changed, which it was in place.
 */
function claimForAssistant(frame: unknown, isSaid: boolean): boolean {
  if (!deltasSchema.safeParse(frame).success) return false;
  let changed = false;
  for (const { delta } of (frame as z.infer<typeof deltasSchema>).choices) {
    if (delta.role === "assistant" || (isSaid && delta.role === undefined)) continue;
    delta.role = "assistant";
    changed = true;
  }
  return changed;
}
