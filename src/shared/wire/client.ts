/** The typed client of the contract: what the renderer and the unattended launcher hold instead of a connection. */
import {
  contract,
  type Input,
  type Item,
  type Output,
  type ProcedureName,
  type StreamName,
} from "../contract/contract.ts";
import { ContractError } from "../contract/errors.ts";
import type { CancelSignal } from "./cancellation.ts";
import { createInbox, type Inbox } from "./client-stream.ts";
import {
  type ClientFrame,
  decodeHostFrame,
  decodeParts,
  encodeClientFrame,
  type HostFrame,
  maxAnswerBytes,
} from "./frames.ts";
import type { Transport } from "./transport.ts";
import { closedError, fromWireError } from "./wire-errors.ts";

export type CallOptions = { signal?: CancelSignal };
/** `credits`: how many items may be under way before the consumer takes one (1 to 1024, default 4). */
export type WatchOptions = { signal?: CancelSignal; credits?: number };

export type Client = {
  /** Rejects with a ContractError (`closed` when the connection ended first), or with the signal's reason. */
  call<K extends ProcedureName>(name: K, input: Input<K>, options?: CallOptions): Promise<Output<K>>;
  /**
   * Opens when iterated, asks for items as they are consumed, ends quietly when the signal aborts or the loop is
   * left, throws a ContractError when the host or the connection fails.
   */
  watch<K extends StreamName>(name: K, input: Input<K>, options?: WatchOptions): AsyncIterable<Item<K>>;
};

type PendingCall = { resolve(output: unknown): void; reject(error: unknown): void };
type ClientState = {
  transport: Transport;
  newestId: number;
  calls: Map<number, PendingCall>;
  streams: Map<number, Inbox>;
  /** What has come of an answer that crosses in parts. */
  parts: Map<number, string>;
  closed: ContractError | undefined;
};

/** @returns one that ends with its transport: every call and stream then fails with `closed`. */
export function createClient(transport: Transport): Client {
  const state: ClientState = {
    transport,
    newestId: 0,
    calls: new Map(),
    streams: new Map(),
    parts: new Map(),
    closed: undefined,
  };
  transport.onClose((reason) => {
    const error = closedError(reason);
    state.closed = error;
    for (const call of state.calls.values()) call.reject(error);
    for (const inbox of state.streams.values()) inbox.finish(error);
    state.calls.clear();
    state.streams.clear();
    state.parts.clear();
  });
  transport.onFrame((text) => {
    const frame = decodeHostFrame(text);
    if (frame === undefined || !receive(state, frame)) transport.close("The host sent a malformed frame.");
  });
  return {
    call: (name, input, options) => call(state, name, input, options),
    watch: (name, input, options) => watch(state, name, input, options),
  };
}

/** False when the frame breaks the protocol. An answer to something cancelled meanwhile is dropped. */
function receive(state: ClientState, frame: HostFrame): boolean {
  const { calls, streams, newestId } = state;
  if (frame.id > newestId) return false;
  if (frame.t === "part") return receivePart(state, frame);
  if (frame.t === "item") return streams.get(frame.id)?.push(frame.item) ?? true;
  if (frame.t === "result") {
    calls.get(frame.id)?.resolve(frame.output);
  } else {
    const failure = frame.t === "error" ? fromWireError(frame.error) : undefined;
    calls.get(frame.id)?.reject(failure);
    streams.get(frame.id)?.finish(failure);
    streams.delete(frame.id);
  }
  calls.delete(frame.id);
  return true;
}

/** Parts of something cancelled meanwhile are put together all the same, so that the last one is known for the last. */
function receivePart(state: ClientState, { id, text, last }: Extract<HostFrame, { t: "part" }>): boolean {
  const whole = (state.parts.get(id) ?? "") + text;
  if (whole.length > maxAnswerBytes) return false;
  if (!last) {
    state.parts.set(id, whole);
    return true;
  }
  state.parts.delete(id);
  const frame = decodeParts(whole);
  return frame?.id === id && receive(state, frame);
}

async function call<K extends ProcedureName>(
  state: ClientState,
  name: K,
  input: Input<K>,
  { signal }: CallOptions = {},
): Promise<Output<K>> {
  if (state.closed !== undefined) throw state.closed;
  if (signal?.aborted) throw signal.reason;
  const id = sendRequest(state, (newId) => ({ t: "call", id: newId, name, input }));
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  state.calls.set(id, { resolve, reject });
  const abort = () => {
    if (state.calls.delete(id)) state.transport.send(encodeClientFrame({ t: "cancel", id }));
    reject(signal?.reason);
  };
  signal?.addEventListener("abort", abort);
  try {
    return understand(contract[name].output.safeParse(await promise), name) as Output<K>;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

async function* watch<K extends StreamName>(
  state: ClientState,
  name: K,
  input: Input<K>,
  { signal, credits = 4 }: WatchOptions = {},
): AsyncGenerator<Item<K>, void, void> {
  if (signal?.aborted) return;
  if (state.closed !== undefined) throw state.closed;
  const id = sendRequest(state, (newId) => ({ t: "open", id: newId, name, input, credits }));
  const inbox = createInbox(credits);
  state.streams.set(id, inbox);
  const abort = () => inbox.abandon();
  signal?.addEventListener("abort", abort);
  try {
    let consumed = 0;
    for (let next = await inbox.take(); next !== undefined; next = await inbox.take()) {
      yield understand(contract[name].item.safeParse(next.item), name) as Item<K>;
      consumed++;
      // Half a window at a time: the stream never runs dry and not every item costs a frame.
      if (consumed * 2 >= credits && state.streams.has(id)) {
        inbox.grant(consumed);
        state.transport.send(encodeClientFrame({ t: "credit", id, credits: consumed }));
        consumed = 0;
      }
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    if (state.streams.delete(id)) state.transport.send(encodeClientFrame({ t: "cancel", id }));
  }
}

/** Ids grow from one request to the next; one that could not be encoded was never sent and uses none up. */
function sendRequest(state: ClientState, build: (id: number) => ClientFrame): number {
  const id = state.newestId + 1;
  const text = encodeClientFrame(build(id));
  state.newestId = id;
  state.transport.send(text);
  return id;
}

function understand(parsed: { success: boolean; data?: unknown }, name: string): unknown {
  if (parsed.success) return parsed.data;
  const message = `The host answered ${name} in a form this window does not know. Reload the window.`;
  throw new ContractError("internal", message);
}
