/** What a LangGraph server is asked: a light list, a look at one thread, one answer, and what came of it. */
import { z } from "zod";
import { visibleText } from "../../base/visible-text.ts";
import { ServerError } from "./server-error.ts";
import { type Ask, askServer, type ServerNetwork, type Target } from "./server-request.ts";
import { type RunEvent, readRunEvents } from "./server-stream.ts";
import {
  assistantsSchema,
  historySchema,
  type listedSchema,
  listSchema,
  runSchema,
  runsSchema,
  stateSchema,
  threadSchema,
  type WireRun,
  type WireState,
  type WireThread,
  wireIdSchema,
} from "./wire-shapes.ts";

export type ListedThread = z.infer<typeof listedSchema>;
export type Heir = z.infer<typeof historySchema>[number];

/** What is posted as an answer. */
export type WireAnswer = { assistant: string; interrupt: string; resume: unknown; marker: string };

/** What is posted as a message of a person; the id is the message's own, here as there. */
export type WireMessage = { assistant: string; text: string; id: string; marker: string };

export type WireAssistant = z.infer<typeof assistantsSchema>[number];

export type ServerClient = {
  /** Every thread that waits, by pages; one request where they fit into one. */
  listWaiting(): Promise<ListedThread[]>;
  /** One that is gone gives `undefined`. Both requests go out at once. */
  look(thread: string): Promise<{ thread: WireThread; state: WireState } | undefined>;
  /**
   * Sent once, whatever becomes of it.
   * @param refuse asked when the connection stands: a sentence why it is not sent after all
   * @throws ServerError that says whether it may have arrived
   */
  answer(thread: string, answer: WireAnswer, refuse: () => string | undefined): Promise<WireRun>;
  /** As `answer`, with a message in place of one. */
  begin(thread: string, message: WireMessage, refuse: () => string | undefined): Promise<WireRun>;
  /** A thread that is there already stays as it is. */
  createThread(thread: string): Promise<void>;
  assistants(): Promise<WireAssistant[]>;
  /** The server ends the run when it likes; it is not waited for. */
  cancel(thread: string, run: string): Promise<void>;
  /** One row, by a request that keeps no server from writing its threads down; nothing where a server tells others. */
  glance(thread: string): Promise<ListedThread | undefined>;
  run(thread: string, run: string): Promise<WireRun | undefined>;
  /** What a run tells while it works, behind an event that is known; see `readRunEvents`. */
  events(thread: string, run: string, after: string, until: AbortSignal): AsyncGenerator<RunEvent>;
  /** All of them, by pages. @throws ServerError where there are more than are read: on some servers the newest would be missing */
  runs(thread: string): Promise<WireRun[]>;
  history(thread: string, limit: number): Promise<Heir[]>;
  /** How many bytes came since it was made. */
  bytesRead(): number;
};

/** One run of ours carries it, so that it is found again when the line broke. */
export const markerName = "countersign";

/** Its server keeps the events, so that who reads them takes none from others. */
const toldWhileItWorks = { stream_mode: ["messages-tuple"], stream_resumable: true };

const mostListBytes = 4_000_000;
const mostThreadBytes = 8_000_000;
const mostRunsBytes = 4_000_000;
/** The most that some servers give, and the most that others do. */
const pageSizes = { large: 1_000, small: 100 };
const mostThreads = 10_000;
const mostRuns = 1_000;
/** So often it is looked whether a page that is as long as a small one is all there is. */
const looksBehind = 6;

type Asker = { ask<T>(request: Ask, schema: z.ZodType<T>): Promise<T>; bytesRead(): number };

/** Checks each answer, and counts what came. */
function createAsker(target: () => Target, network: ServerNetwork, signal: AbortSignal): Asker {
  let bytes = 0;
  const onRead = (more: number) => {
    bytes += more;
  };
  return {
    async ask(request, schema) {
      const answer = await askServer(target(), { ...request, onRead }, network, signal);
      const parsed = parse(schema, answer);
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      throw new ServerError(
        "odd",
        `What came back is no answer of a LangGraph server (${request.path.split("/")[1]}: ${visibleText(String(issue?.path.join("."))).slice(0, 200)}). Check the address.`,
      );
    },
    bytesRead: () => bytes,
  };
}

/** @throws ServerError where so much is wrong that the list of it does not fit on the stack */
function parse<T>(schema: z.ZodType<T>, answer: unknown): z.ZodSafeParseResult<T> {
  try {
    return schema.safeParse(answer);
  } catch {
    throw new ServerError("odd", "What came back is no answer of a LangGraph server. Check the address.");
  }
}

/** Keeps how long the pages of this server are. */
function createLister({ ask }: Asker): ServerClient["listWaiting"] {
  let pageSize = pageSizes.large;
  let lists = 0;

  async function listPage(offset: number): Promise<ListedThread[]> {
    const body = {
      status: "interrupted",
      limit: pageSize,
      offset,
      sort_by: "thread_id",
      sort_order: "asc",
      select: ["thread_id", "updated_at", "status"],
    };
    try {
      return await ask(
        { method: "POST", path: "/threads/search", body, mostBytes: mostListBytes },
        listSchema,
      );
    } catch (error) {
      const isTooLong = error instanceof ServerError && (error.status === 422 || error.status === 400);
      if (!isTooLong || pageSize === pageSizes.small) throw error;
      pageSize = pageSizes.small;
      return listPage(offset);
    }
  }

  return async () => {
    const all: ListedThread[] = [];
    const looksOn = lists++ % looksBehind === 0;
    for (;;) {
      const page = await listPage(all.length);
      all.push(...page);
      // A server that cuts long pages in silence does so at the small size.
      const isFull = page.length === pageSize || (page.length === pageSizes.small && looksOn);
      if (!isFull || all.length >= mostThreads) return all;
    }
  };
}

/** Begins runs, never with a checkpoint: that would run again what was answered before. */
function createStarter({ ask }: Asker): Pick<ServerClient, "answer" | "begin"> {
  const start = (
    thread: string,
    { assistant, marker }: Pick<WireAnswer, "assistant" | "marker">,
    what: object,
    refuse: () => string | undefined,
  ) =>
    ask(
      {
        method: "POST",
        refuse,
        path: `/threads/${thread}/runs`,
        mostBytes: mostRunsBytes,
        body: {
          assistant_id: assistant,
          ...what,
          ...toldWhileItWorks,
          multitask_strategy: "reject",
          metadata: { [markerName]: marker },
        },
      },
      runSchema,
    );
  return {
    answer: (thread, { interrupt, resume, ...run }, refuse) =>
      start(thread, run, { command: { resume: { [interrupt]: resume } } }, refuse),
    begin: (thread, { id, text, ...run }, refuse) =>
      start(thread, run, { input: { messages: [{ type: "human", content: text, id }] } }, refuse),
  };
}

/** Keeps nothing of what it hears. */
export function createServerClient(
  target: () => Target,
  network: ServerNetwork,
  signal: AbortSignal,
): ServerClient {
  const asker = createAsker(target, network, signal);
  const { ask } = asker;
  const get = <T>(path: string, schema: z.ZodType<T>, mostBytes: number) =>
    ask({ method: "GET", path, mostBytes }, schema);
  const post = <T>(path: string, body: object, schema: z.ZodType<T>, mostBytes: number) =>
    ask({ method: "POST", path, body, mostBytes }, schema);
  const listRuns = (thread: string, offset: number) =>
    get(`/threads/${thread}/runs?limit=${pageSizes.small}&offset=${offset}`, runsSchema, mostRunsBytes);
  return {
    listWaiting: createLister(asker),
    async look(thread) {
      const path = `/threads/${thread}`;
      const [found, state] = await Promise.all([
        orGone(get(path, threadSchema, mostThreadBytes)),
        orGone(get(`${path}/state`, stateSchema, mostThreadBytes)),
      ]);
      if (found === undefined || state === undefined) return undefined;
      if (found.thread_id !== thread) throw new ServerError("odd", "The server told of another thread.");
      return { thread: found, state };
    },
    ...createStarter(asker),
    async createThread(thread) {
      const body = { thread_id: thread, if_exists: "do_nothing" };
      await post("/threads", body, z.looseObject({ thread_id: wireIdSchema }), mostThreadBytes);
    },
    assistants: () => post("/assistants/search", { limit: 100 }, assistantsSchema, mostListBytes),
    async cancel(thread, run) {
      await post(`/threads/${thread}/runs/${run}/cancel?action=interrupt`, {}, z.unknown(), mostRunsBytes);
    },
    async glance(thread) {
      const body = { ids: [thread], limit: 1, select: ["thread_id", "updated_at", "status"] };
      const rows = await post("/threads/search", body, listSchema, mostListBytes);
      return rows.find(({ thread_id }) => thread_id === thread);
    },
    run: (thread, run) => orGone(get(`/threads/${thread}/runs/${run}`, runSchema, mostRunsBytes)),
    events: (thread, run, after, until) =>
      readRunEvents(target(), { thread, run, after }, network, AbortSignal.any([signal, until])),
    async runs(thread) {
      const all: WireRun[] = [];
      while (all.length < mostRuns) {
        const page = await listRuns(thread, all.length);
        all.push(...page);
        if (page.length < pageSizes.small) return all;
      }
      throw new ServerError("odd", `The thread has more than ${mostRuns} runs, which are not read.`);
    },
    history: (thread, limit) =>
      get(`/threads/${thread}/history?limit=${limit}`, historySchema, mostThreadBytes),
    bytesRead: asker.bytesRead,
  };
}

/** A thread or run that is not there, or not for this key. */
async function orGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServerError && error.status === 404) return undefined;
    throw error;
  }
}
