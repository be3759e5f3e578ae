/** Keeps one stream alive: subscribes, hands items on, and subscribes again when the line was lost. */
import type { Input, Item, StreamName } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { Client } from "./client.ts";
import { createGrowingPause } from "./reconnecting-client.ts";

/**
 * @param input is asked anew for each subscription, so that a reader can go on where it was.
 * @param onProblem gets an error that trying again cannot mend (`not-found`, `invalid-input`, `forbidden`); the stream then ends.
 */
export async function followStream<K extends StreamName>(
  client: Client,
  name: K,
  input: () => Input<K>,
  onItem: (item: Item<K>) => void,
  signal: AbortSignal,
  onProblem?: (error: ContractError) => void,
): Promise<void> {
  const pauses = createGrowingPause();
  while (!signal.aborted) {
    try {
      for await (const item of client.watch(name, input(), { signal })) {
        if (signal.aborted) return;
        pauses.reset();
        onItem(item);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) {
        onProblem?.(error);
        return;
      }
    }
    await pause(client, pauses.nextMs(), signal);
  }
}

function isFinal(error: unknown): error is ContractError {
  return error instanceof ContractError && ["not-found", "invalid-input", "forbidden"].includes(error.code);
}

/** Waits, but no longer than until the connection is back. */
function pause(client: Client, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stopState();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stopState = client.onState((state) => {
      if (state === "online") done();
    });
    signal.addEventListener("abort", done, { once: true });
  });
}
