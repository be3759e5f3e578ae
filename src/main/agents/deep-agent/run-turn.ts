/** Runs the graph of one thread until it rests, and streams deltas. */
import { Command, isGraphInterrupt } from "@langchain/langgraph";
import { AIMessageChunk } from "langchain";
import { z } from "zod";
import type { Delta } from "../../../shared/contract/thread-reading.ts";
import type { MessageId } from "../../../shared/ids.ts";
import { type RunContext, TurnStopped } from "../../gate/run-context.ts";
import type { Rest } from "../run-end.ts";
import { pathOf, runInContext } from "./graph-run.ts";
import { messageItemId, reasoningOf } from "./model-middleware.ts";
import { isParking } from "./parking.ts";
import { mostAnswerBytes } from "./too-much.ts";

/** The part of a compiled deep agent that a run needs. */
export type Graph = {
  stream(input: unknown, config: Record<string, unknown>): Promise<AsyncIterable<unknown>>;
  getState(config: Record<string, unknown>): Promise<GraphState>;
  updateState(config: Record<string, unknown>, values: unknown, asNode: string): Promise<unknown>;
};

export type GraphState = {
  values: unknown;
  tasks: readonly { interrupts?: readonly { id?: string; value?: unknown }[]; result?: unknown }[];
  config: { configurable?: Record<string, unknown> };
};

export type RunInput =
  | { kind: "message"; content: unknown; messageId: MessageId }
  /** From the last checkpoint; answers to foreign interrupts are keyed by interrupt id. */
  | { kind: "continue"; answers: Record<string, unknown> };

export type RunListeners = {
  onDelta(delta: Delta): void;
  /** Interrupts that no gate filed: foreign graphs and stock middleware. */
  onForeignInterrupt(interrupt: { id: string; value: unknown }): void;
};

/** @throws TurnStopped, the abort reason of the run, or what the graph fails with. */
export function runTurn(
  graph: Graph,
  input: RunInput,
  run: RunContext,
  listeners: RunListeners,
): Promise<Rest> {
  return runInContext(run, () => runGraph(graph, input, run, listeners));
}

export const streamOptions = {
  durability: "sync",
  streamMode: ["messages", "updates"],
  subgraphs: true,
  recursionLimit: 10_000,
} as const;

async function runGraph(
  graph: Graph,
  input: RunInput,
  run: RunContext,
  listeners: RunListeners,
): Promise<Rest> {
  const config = { configurable: { thread_id: run.threadId } };
  await run.loop.take("begin");
  try {
    const stream = await graph.stream(toGraphInput(input), {
      ...config,
      ...streamOptions,
      signal: run.signal,
    });
    const told = { ...listeners, onDelta: tellBeginning(listeners.onDelta) };
    for await (const chunk of stream) takeChunk(chunk, run, told);
    const state = await graph.getState(config);
    return state.tasks.some((task) => (task.interrupts?.length ?? 0) > 0 && task.result === undefined)
      ? "waiting"
      : "done";
  } catch (error) {
    if (isGraphInterrupt(error) && !run.signal.aborted) return "waiting";
    throw findTurnStopped(error) ?? error;
  } finally {
    run.loop.leave();
  }
}

/** The TurnStopped in an error, however often middleware wrapped it on the way out. */
function findTurnStopped(error: unknown): TurnStopped | undefined {
  if (error instanceof TurnStopped) return error;
  return error instanceof Error ? findTurnStopped(error.cause) : undefined;
}

function toGraphInput(input: RunInput): unknown {
  if (input.kind === "message")
    return { messages: [{ role: "user", content: input.content, id: input.messageId }] };
  return Object.keys(input.answers).length > 0 ? new Command({ resume: input.answers }) : null;
}

/** Of a message that never ends what will be kept of it, and no more. */
function tellBeginning(tell: RunListeners["onDelta"]): RunListeners["onDelta"] {
  const told = new Map<MessageId, number>();
  return (delta) => {
    const chars = told.get(delta.messageId) ?? 0;
    if (chars > mostAnswerBytes) return;
    told.set(delta.messageId, chars + (delta.text?.length ?? 0) + (delta.reasoning?.length ?? 0));
    tell(delta);
  };
}

const chunkSchema = z.tuple([z.array(z.string()), z.string(), z.unknown()]);
const messageChunkSchema = z.tuple([
  z.unknown(),
  z.object({ langgraph_checkpoint_ns: z.string().optional() }),
]);
const updateSchema = z.object({ __interrupt__: z.array(z.object({ id: z.string(), value: z.unknown() })) });

function takeChunk(chunk: unknown, run: RunContext, listeners: RunListeners): void {
  const [, mode, data] = chunkSchema.parse(chunk);
  if (mode === "updates") {
    const update = updateSchema.safeParse(data);
    if (update.success)
      for (const interrupt of update.data.__interrupt__)
        if (!isParking(interrupt)) listeners.onForeignInterrupt(interrupt);
    return;
  }
  const [message, meta] = messageChunkSchema.parse(data);
  if (!AIMessageChunk.isInstance(message) || !meta.langgraph_checkpoint_ns) return;
  const namespace = meta.langgraph_checkpoint_ns;
  const taskId = namespace.slice(namespace.lastIndexOf(":") + 1);
  const id = messageItemId(run.threadId, taskId);
  // The getter translates content block by block, which is much for each word; plain content is the text itself.
  const text = typeof message.content === "string" ? message.content : message.text;
  const reasoning = reasoningOf(message) ?? "";
  const toolName = message.tool_call_chunks?.find((call) => call.name)?.name;
  if (!text && !reasoning && !toolName) return;
  listeners.onDelta({
    messageId: id,
    turnId: run.turnId,
    ...pathOf(namespace),
    text: text || undefined,
    reasoning: reasoning || undefined,
    toolName,
  });
}
