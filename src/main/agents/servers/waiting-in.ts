/** What waits in a thread of a server, out of the three lists in which servers tell of it, each of them wrong somewhere. */
import { textOf } from "./server-messages.ts";
import { type WireState, type WireThread, wireIdSchema } from "./wire-shapes.ts";

export type Waiting = {
  task: string;
  interrupt: string;
  value: unknown;
  /** What the interrupt says of the answer that it takes. */
  schema: unknown;
  /** Another question stands there under the same id, so that an answer to the one would be taken for both. */
  isShared?: true;
};

/** One thread as it stood at one look. */
export type Seen = {
  thread: string;
  status: string;
  assistant: string | undefined;
  graph: string;
  checkpoint: string | null;
  waiting: Waiting[];
  /** What a task of it failed with. */
  failed: string | undefined;
  /** The beginning of what a person first wrote in it. */
  title: string | undefined;
};

/** More is never asked by one thread at a time; who does is not shown in parts. */
const mostWaiting = 200;
const longestTitle = 80;

/**
 * `thread.interrupts` is right where a server has it, but can outlive its checkpoint; `state.tasks` lists siblings that
 * were answered; `state.interrupts` is all that some servers have. A graph may ask without an id: then nothing can be
 * answered by a key, and it is left out.
 */
export function readSeen({ thread, state }: { thread: WireThread; state: WireState }): Seen {
  const { thread_id, status, metadata } = thread;
  const assistant = metadata?.assistant_id ?? metadata?.graph_id;
  const failure = state.tasks?.find(({ error }) => typeof error === "string" || isObject(error))?.error;
  return {
    thread: thread_id,
    status,
    assistant: wireIdSchema.safeParse(assistant).data,
    graph: metadata?.graph_id ?? metadata?.assistant_id ?? "unknown",
    checkpoint: state.checkpoint?.checkpoint_id ?? null,
    waiting: listWaiting(thread, state).slice(0, mostWaiting),
    failed: failure === undefined ? undefined : wordsOfFailure(failure),
    title: titleIn(state.values),
  };
}

function listWaiting(thread: WireThread, state: WireState): Waiting[] {
  const found = new Map<string, Waiting>();
  const add = (task: string, list: NonNullable<WireState["interrupts"]>) => {
    for (const { id, value = null, response_schema: schema } of list)
      if (id !== undefined) found.set(id, joined(found.get(id), { task, interrupt: id, value, schema }));
  };
  const tasks = state.tasks ?? [];
  if (thread.interrupts !== undefined) {
    for (const [task, list] of thread.interrupts) add(task.slice(0, 500), list);
    // A server that tells checkpoints still lists the task of what waits; what it does not list was resolved by others.
    const isListed = new Set(tasks.flatMap(({ interrupts = [] }) => interrupts.map(({ id }) => id)));
    if (state.checkpoint !== undefined)
      for (const id of found.keys()) if (!isListed.has(id)) found.delete(id);
    return [...found.values()];
  }
  for (const { id, interrupts = [], result, error } of tasks)
    if ((result ?? error ?? null) === null) add(id, interrupts);
  if (found.size === 0) add("", state.interrupts ?? []);
  return [...found.values()];
}

/** The same that is listed twice is one; two under one id are shown as the one that is listed last. */
function joined(before: Waiting | undefined, one: Waiting): Waiting {
  if (before === undefined) return one;
  const isSame = before.isShared === undefined && JSON.stringify(before) === JSON.stringify(one);
  return isSame ? one : { ...one, isShared: true };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function wordsOfFailure(failure: unknown): string {
  const said = typeof failure === "string" ? failure : JSON.stringify(failure);
  return said.slice(0, 1_000);
}

function titleIn(values: unknown): string | undefined {
  const messages = isObject(values) ? values.messages : undefined;
  if (!Array.isArray(messages)) return undefined;
  const first = messages.find((one) => isObject(one) && (one.type === "human" || one.role === "user"));
  const text = textOf(isObject(first) ? first.content : undefined);
  return text.trim().split("\n", 1)[0]?.slice(0, longestTitle) || undefined;
}
