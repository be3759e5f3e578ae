/** Watches a streamed answer on the wire, because the provider clients take a stream that was cut for a finished one. */
import { giveWay } from "../base/give-way.ts";
import { FrameInspector, type StreamProtocol } from "./answer-frames.ts";
import { endedAfter, interruptedStream, type ModelError } from "./model-error.ts";

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
