/** Serves a few handlers over a pair of transports and takes everything down after each test. */
import { afterEach } from "vitest";
import { createClient } from "../../../shared/wire/client.ts";
import { type Handlers, serveContract } from "../../../shared/wire/serve-contract.ts";
import { fillHandlers } from "./partial-handlers.ts";
import type { WirePair } from "./wire-pairs.ts";

/** To be called inside a `describe`. */
export function servePairs(connectPair: () => Promise<WirePair>) {
  const opened: WirePair[] = [];
  afterEach(async () => {
    for (const pair of opened.splice(0)) await pair.dispose();
  });

  async function openPair(): Promise<WirePair> {
    const pair = await connectPair();
    opened.push(pair);
    return pair;
  }

  /** The host's side served; the client's side raw. */
  async function serve(given: Partial<Handlers>) {
    const pair = await openPair();
    const logged: unknown[] = [];
    serveContract(pair.host, fillHandlers(given), {
      clientId: "window-1",
      onInternalError: (error) => `log-${logged.push(error)}`,
    });
    const hungUp = new Promise<string>((resolve) => pair.client.onClose(resolve));
    return { pair, logged, hungUp };
  }

  async function connect(given: Partial<Handlers>) {
    const served = await serve(given);
    return { ...served, client: createClient(served.pair.client) };
  }

  return { openPair, serve, connect };
}
