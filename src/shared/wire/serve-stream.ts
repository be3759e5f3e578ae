/** The host's side of one stream: nothing is made before the client asked for it. */
import type { CancelSignal } from "./cancellation.ts";

/** How many more items the client has asked for. */
export type CreditGate = {
  /** How many are asked for and not taken yet. */
  open(): number;
  grant(credits: number): void;
  /** Takes one credit, waiting for it; false when the stream was cancelled. */
  take(): Promise<boolean>;
};

/** @param initial how many items the client asked for when it opened the stream. */
export function createCreditGate(signal: CancelSignal, initial: number): CreditGate {
  let credits = initial;
  let wake: (() => void) | undefined;
  signal.addEventListener("abort", () => wake?.());
  return {
    open: () => credits,
    grant: (more) => {
      credits += more;
      wake?.();
    },
    take: async () => {
      while (credits === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (signal.aborted) return false;
      credits--;
      return true;
    },
  };
}

/**
 * Pulls one item per credit and sends it. @returns true when the source came to its end and false when the stream
 * was cancelled; throws what the source or `send` throws. The source is ended in every case.
 */
export async function pumpStream(
  source: AsyncIterable<unknown>,
  gate: CreditGate,
  signal: CancelSignal,
  send: (item: unknown) => void,
): Promise<boolean> {
  const iterator = source[Symbol.asyncIterator]();
  let ending: Promise<unknown> | undefined;
  const endSource = () => {
    ending ??= (async () => iterator.return?.())();
    return ending;
  };
  // A source that is waiting for its next item may only learn from this that nobody listens any more.
  const endEarly = () => void endSource().catch(() => {});
  signal.addEventListener("abort", endEarly);
  try {
    while (await gate.take()) {
      const next = await iterator.next();
      if (signal.aborted) return false;
      if (next.done) return true;
      send(next.value);
    }
    return false;
  } finally {
    signal.removeEventListener("abort", endEarly);
    await endSource();
  }
}
