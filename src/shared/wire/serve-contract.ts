/** The host's side of the contract: parses every call, answers it, and never says more than the contract declares. */
import {
  type Contract,
  contract,
  type Item,
  type Output,
  type ParsedInput,
  type ProcedureName,
  type StreamName,
} from "../contract/contract.ts";
import { ContractError } from "../contract/errors.ts";
import type { Procedure, Stream } from "../contract/procedure.ts";
import { type CancelSignal, createCanceller } from "./cancellation.ts";
import {
  type ClientFrame,
  decodeClientFrame,
  encodeHostFrame,
  type HostFrame,
  maxCredits,
  maxLiveCalls,
  maxLiveStreams,
} from "./frames.ts";
import { type CreditGate, createCreditGate, pumpStream } from "./serve-stream.ts";
import type { Transport } from "./transport.ts";
import { invalidInput, toWireError } from "./wire-errors.ts";

/** `signal` aborts when the client cancels or goes away; `clientId` names the connection; `via` says that it is no window. */
export type CallContext = { signal: CancelSignal; clientId: string; via?: "command line" };

/** A stream's source must stop waiting when `signal` aborts: its slot is only free again when it has ended. */
export type Handlers = {
  [K in ProcedureName]: (input: ParsedInput<K>, context: CallContext) => Promise<Output<K>> | Output<K>;
} & { [K in StreamName]: (input: ParsedInput<K>, context: CallContext) => AsyncIterable<Item<K>> };

export type ServeOptions = {
  clientId: string;
  via?: CallContext["via"];
  /** Writes down an error nobody foresaw and what was asked for; returns the id under which the log has it. */
  onInternalError(error: unknown, name: string): string;
  /** Whether stream items are checked against the contract too; procedures always are. Default true. */
  checkItems?: boolean;
};

type Live = { abort(): void; signal: CancelSignal; gate?: CreditGate };
type Connection = {
  transport: Transport;
  handlers: Handlers;
  options: ServeOptions;
  live: Map<number, Live>;
  newestId: number;
};
type CallFrame = Extract<ClientFrame, { t: "call" | "open" }>;

/** Answers everything that comes in over the transport until it closes. A malformed frame hangs up. */
export function serveContract(transport: Transport, handlers: Handlers, options: ServeOptions): void {
  const connection: Connection = { transport, handlers, options, live: new Map(), newestId: 0 };
  transport.onClose(() => {
    for (const live of connection.live.values()) live.abort();
  });
  transport.onFrame((text) => {
    const frame = decodeClientFrame(text);
    if (frame === undefined || !receive(connection, frame)) transport.close("That frame is malformed.");
  });
}

/** False when the frame breaks the protocol. */
function receive(connection: Connection, frame: ClientFrame): boolean {
  if (frame.t === "call" || frame.t === "open") {
    if (frame.id <= connection.newestId) return false;
    connection.newestId = frame.id;
    void answer(connection, frame);
    return true;
  }
  if (frame.id > connection.newestId) return false;
  const live = connection.live.get(frame.id);
  // It may have ended while the frame was under way; that is nobody's mistake.
  if (live === undefined) return true;
  if (frame.t === "cancel") {
    live.abort();
    return true;
  }
  if (live.gate === undefined || live.gate.open() + frame.credits > maxCredits) return false;
  live.gate.grant(frame.credits);
  return true;
}

async function answer(connection: Connection, frame: CallFrame): Promise<void> {
  const { live, options } = connection;
  const report = (error: unknown) => options.onInternalError(error, frame.name);
  const canceller = createCanceller();
  const { signal } = canceller;
  try {
    refuseOverload(connection, frame);
    const entry: Live = { abort: () => canceller.abort(), signal };
    live.set(frame.id, entry);
    const { clientId, via } = options;
    const context: CallContext = { signal, clientId, ...(via && { via }) };
    if (frame.t === "call") {
      await answerCall(connection, frame, context);
    } else {
      entry.gate = createCreditGate(signal, frame.credits);
      await answerStream(connection, frame, context, entry.gate);
    }
  } catch (error) {
    if (!signal.aborted) {
      send(connection, { t: "error", id: frame.id, error: toWireError(error, report) });
    } else if (!isExpectedAfterCancel(error)) {
      report(error);
    }
  } finally {
    live.delete(frame.id);
  }
}

async function answerCall(connection: Connection, frame: CallFrame, context: CallContext): Promise<void> {
  const declared = findDeclaration(frame.name, "procedure");
  const handle = findHandler(connection.handlers, frame.name);
  const answered = await handle(parseInput(declared, frame.input), context);
  if (context.signal.aborted) return;
  send(connection, { t: "result", id: frame.id, output: declared.output.parse(answered) });
}

async function answerStream(
  connection: Connection,
  frame: CallFrame,
  context: CallContext,
  gate: CreditGate,
): Promise<void> {
  const { checkItems = true } = connection.options;
  const declared = findDeclaration(frame.name, "stream");
  const handle = findHandler(connection.handlers, frame.name);
  const source = handle(parseInput(declared, frame.input), context) as AsyncIterable<unknown>;
  const ended = await pumpStream(source, gate, context.signal, (item) =>
    send(connection, { t: "item", id: frame.id, item: checkItems ? declared.item.parse(item) : item }),
  );
  if (ended) send(connection, { t: "end", id: frame.id });
}

function send(connection: Connection, frame: HostFrame): void {
  const texts = encodeHostFrame(frame);
  if (texts === undefined)
    throw new ContractError("unavailable", "This is larger than 32 MB and cannot be shown.");
  for (const text of texts) connection.transport.send(text);
}

function refuseOverload({ live }: Connection, frame: CallFrame): void {
  const sameKind = [...live.values()].filter((other) => (other.gate !== undefined) === (frame.t === "open"));
  if (sameKind.length < (frame.t === "open" ? maxLiveStreams : maxLiveCalls)) return;
  throw new ContractError("unavailable", "Too much is under way at once. Try again in a moment.");
}

function findDeclaration<Kind extends "procedure" | "stream">(
  name: string,
  kind: Kind,
): Extract<Procedure | Stream, { kind: Kind }>;
function findDeclaration(name: string, kind: string): Procedure | Stream {
  const declared = Object.hasOwn(contract, name) ? contract[name as keyof Contract] : undefined;
  if (declared?.kind === kind) return declared;
  throw new ContractError("not-found", `This host knows no ${kind} of that name. Reload the window.`);
}

/** The contract has tied each name to its handler's types; here they are only passed on. */
function findHandler(handlers: Handlers, name: string): (input: unknown, context: CallContext) => unknown {
  return handlers[name as keyof Contract] as (input: unknown, context: CallContext) => unknown;
}

function parseInput(declared: Procedure | Stream, input: unknown): unknown {
  const parsed = declared.input.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error);
}

/** A handler that was told to stop may answer with the abort itself or with a ContractError of its own. */
function isExpectedAfterCancel(error: unknown): boolean {
  return error instanceof ContractError || (error instanceof Error && error.name === "AbortError");
}
