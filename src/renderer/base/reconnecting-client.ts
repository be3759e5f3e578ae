/** A client that outlives its connections: it connects again with growing pauses. Streams are kept by `followStream`. */
import type { Input, Item, StreamName } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { type Client, createClient, type WatchOptions } from "../../shared/wire/client.ts";
import type { Transport } from "../../shared/wire/transport.ts";

/** offline: an attempt has failed and others follow; connecting: the first attempt after start or after a loss. */
export type ConnectionState = "connecting" | "online" | "offline";

/**
 * A call made while offline, or cut by a lost connection, rejects with `closed`. A watch waits for a connection and
 * throws `closed` when it is lost.
 */
export type ReconnectingClient = Client & {
  state(): ConnectionState;
  /** Why there is no connection, in a sentence, while offline. */
  problem(): string | undefined;
  /** @returns its own removal. */
  onState(listener: (state: ConnectionState) => void): () => void;
};

/** A connection that ends sooner counts as a failed attempt, so that a host that hangs up at once is not hammered. */
const steadyAfterMs = 2_000;

type Link = {
  state: ConnectionState;
  problem: ContractError | undefined;
  client: Client | undefined;
  listeners: Set<(state: ConnectionState) => void>;
};

/** Starts connecting at once. Gives up only when `connect` throws ContractError `forbidden`. */
export function createReconnectingClient(
  connect: () => Promise<Transport>,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): ReconnectingClient {
  const link: Link = { state: "connecting", problem: undefined, client: undefined, listeners: new Set() };
  void stayConnected(link, connect, pause);
  return {
    call: async (name, input, options) => (await connected(link, options?.signal)).call(name, input, options),
    watch: (name, input, options) => watch(link, name, input, options),
    state: () => link.state,
    problem: () => link.problem?.message,
    onState: (listener) => {
      link.listeners.add(listener);
      return () => link.listeners.delete(listener);
    },
  };
}

async function stayConnected(
  link: Link,
  connect: () => Promise<Transport>,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const pauses = createGrowingPause();
  while (link.problem?.code !== "forbidden") {
    try {
      const transport = await connect();
      const openedAt = Date.now();
      await holdUntilClosed(link, transport);
      if (Date.now() - openedAt >= steadyAfterMs) {
        pauses.reset();
        continue;
      }
    } catch (error) {
      const problem = error instanceof ContractError ? error : new ContractError("closed", String(error));
      change(link, { state: "offline", problem });
    }
    await pause(pauses.nextMs());
  }
}

async function holdUntilClosed(link: Link, transport: Transport): Promise<void> {
  const client = createClient(transport);
  change(link, { state: "online", problem: undefined, client });
  await new Promise<void>((resolve) => {
    transport.onClose(() => {
      change(link, { state: "connecting", client: undefined });
      resolve();
    });
  });
}

function change(link: Link, to: Partial<Omit<Link, "listeners">>): void {
  Object.assign(link, to);
  for (const listener of [...link.listeners]) listener(link.state);
}

/** The client while online; waits while connecting; throws while offline unless `patient`. */
async function connected(link: Link, signal?: AbortSignal, patient = false): Promise<Client> {
  for (;;) {
    signal?.throwIfAborted();
    if (link.client !== undefined) return link.client;
    const isFinal = link.problem?.code === "forbidden";
    if (link.problem !== undefined && (isFinal || !patient)) throw link.problem;
    await changed(link, signal);
  }
}

function changed(link: Link, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      link.listeners.delete(done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    link.listeners.add(done);
    signal?.addEventListener("abort", done);
  });
}

async function* watch<K extends StreamName>(
  link: Link,
  name: K,
  input: Input<K>,
  options: WatchOptions = {},
): AsyncGenerator<Item<K>, void, void> {
  try {
    yield* (await connected(link, options.signal, true)).watch(name, input, options);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
}

/** How long to wait before trying again: longer after each failure, and from the beginning after a success. */
const firstPauseMs = 250;
const longestPauseMs = 5_000;

export function createGrowingPause(): { nextMs(): number; reset(): void } {
  let pauseMs = firstPauseMs;
  return {
    nextMs() {
      const ms = pauseMs;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      return ms;
    },
    reset() {
      pauseMs = firstPauseMs;
    },
  };
}
