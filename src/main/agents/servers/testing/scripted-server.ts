/** Stands for a LangGraph server behind real HTTP: it replays shapes that a real one was seen to send, and can misbehave. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type Interrupts = Record<string, { id: string; value: unknown; response_schema?: unknown }[]>;

export type ScriptedThread = {
  status: string;
  assistant: string;
  interrupts: Interrupts;
  checkpoint: string | null;
  error?: string;
  runs: { run_id: string; status: string; created_at: string; metadata: Record<string, unknown> }[];
  history: { parent_checkpoint: { checkpoint_id: string }; metadata: { run_id: string } }[];
  updated: number;
  messages?: unknown[];
};

export type Route =
  | "list"
  | "thread"
  | "state"
  | "answer"
  | "begin"
  | "cancel"
  | "create"
  | "assistants"
  | "runs"
  | "run"
  | "words"
  | "history";
type Heard = { route: Route; path: string; body: unknown; headers: IncomingMessage["headers"] };
type Handler = (response: ServerResponse, go: () => void, heard: Heard) => void;

/** What a stock agent of JavaScript asks about these commands. */
export function batchOf(...commands: string[]): unknown {
  return {
    actionRequests: commands.map((command) => ({
      name: "execute_it",
      args: { command },
      description: "Please review",
    })),
    reviewConfigs: commands.map(() => ({
      actionName: "execute_it",
      allowedDecisions: ["approve", "edit", "reject"],
    })),
  };
}

export class ScriptedServer {
  readonly threads = new Map<string, ScriptedThread>();
  readonly heard: Heard[] = [];
  /** Called after whatever it hears. */
  onHeard: () => void = () => undefined;
  /** In place of what a route does; `go` does it after all. */
  readonly instead = new Map<Route, Handler>();
  /** What was done with each answer, in order. */
  readonly effects: unknown[] = [];
  /** Bodies of all that it answered by itself. */
  sentBytes = 0;
  #server: Server | undefined;
  #count = 0;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((done) => server.listen(this.#port, "127.0.0.1", done));
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done) ?? done(undefined));
    this.#server = undefined;
  }

  /** A thread that waits with this value. */
  ask(name: string, value: unknown, interrupt = `int-${name}`): ScriptedThread {
    const thread: ScriptedThread = {
      status: "interrupted",
      assistant: "assistant-1",
      interrupts: { [`task-${name}`]: [{ id: interrupt, value }] },
      checkpoint: `checkpoint-${name}-${this.#next()}`,
      runs: [],
      history: [],
      updated: this.#next(),
      messages: [{ type: "human", content: `please ${name}` }],
    };
    this.threads.set(name, thread);
    return thread;
  }

  /** What a run that was begun by a message ends with. */
  finish(name: string, change: Partial<ScriptedThread> = {}, status = "success"): void {
    const thread = this.threads.get(name)!;
    for (const run of thread.runs) if (run.status === "running") run.status = status;
    this.move(name, { status: "idle", ...change });
  }

  /** The thread stands elsewhere now. */
  move(name: string, change: Partial<ScriptedThread>): void {
    Object.assign(this.threads.get(name)!, change, { updated: this.#next() });
  }

  heardOf(route: Route): Heard[] {
    return this.heard.filter((one) => one.route === route);
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://server");
    const body = request.method === "POST" ? await json(request) : undefined;
    const [, , name = "", , run = ""] = pathname.split("/");
    const route = routeOf(pathname, request.method, body);
    const heard: Heard = { route, path: request.url ?? "", body, headers: request.headers };
    this.heard.push(heard);
    this.onHeard();
    const go = () => this.#answer(response, heard, name, run);
    const instead = this.instead.get(route);
    if (instead) instead(response, go, heard);
    else go();
  }

  #answer(response: ServerResponse, heard: Heard, name: string, run: string): void {
    const value = this.#valueOf(heard, name, run);
    if (value instanceof Error) {
      response.writeHead(409, { "content-type": "application/json" });
      response.end(JSON.stringify({ detail: value.message }));
      return;
    }
    if (response.destroyed || response.headersSent) return;
    response.writeHead(value === undefined ? 404 : 200, { "content-type": "application/json" });
    const text = JSON.stringify(value ?? { detail: "Not found" });
    this.sentBytes += Buffer.byteLength(text);
    response.end(text);
  }

  #valueOf(heard: Heard, name: string, run: string): unknown {
    // As one that tells nothing of a run while it works.
    if (heard.route === "words") return undefined;
    if (heard.route === "list") return this.#list(heard.body as Page);
    if (heard.route === "assistants")
      return [{ assistant_id: "assistant-1", graph_id: "agent", name: "Agent" }];
    if (heard.route !== "create") return this.#of(heard, name, run);
    const { thread_id: id } = heard.body as { thread_id: string };
    if (!this.threads.has(id)) this.ask(id, undefined);
    this.move(id, { status: "idle", interrupts: {}, messages: [] });
    return { thread_id: id };
  }

  #of({ route, body, path }: Heard, name: string, run: string): unknown {
    const thread = this.threads.get(name);
    if (!thread) return undefined;
    const parts: Partial<Record<Route, () => unknown>> = {
      thread: () => ({ thread_id: name, ...this.#row(thread) }),
      state: () => stateOf(thread),
      runs: () => pageOf(thread.runs, path),
      run: () => thread.runs.find(({ run_id }) => run_id === run),
      history: () => thread.history,
      answer: () => this.#take(thread, body as AnswerBody),
      begin: () => this.#begin(thread, body as BeginBody),
      cancel: () => ({}),
    };
    return parts[route]?.();
  }

  /** Whole rows, unless less is asked for. */
  #list({ limit, offset = 0, ids, select }: Page) {
    return [...this.threads]
      .filter(([id, { status }]) => ids?.includes(id) ?? status === "interrupted")
      .slice(offset, offset + limit)
      .map(([thread_id, thread]) => {
        const row = Object.entries({ thread_id, ...this.#row(thread), values: thread.messages });
        return Object.fromEntries(row.filter(([name]) => select?.includes(name) ?? true));
      });
  }

  #row({ status, interrupts, assistant, updated }: ScriptedThread) {
    return {
      status,
      interrupts,
      updated_at: String(updated),
      metadata: { assistant_id: assistant, graph_id: "agent" },
    };
  }

  /** Works until `finish` is called. */
  #begin(thread: ScriptedThread, { input, metadata = {} }: BeginBody): unknown {
    if (thread.status === "busy") return new Error("Thread is already running a task.");
    const run = {
      run_id: `run-${this.#next()}`,
      status: "running",
      created_at: new Date().toISOString(),
      metadata,
    };
    thread.runs.push(run);
    thread.status = "busy";
    thread.messages = [...(thread.messages ?? []), ...input.messages];
    thread.updated = this.#next();
    return run;
  }

  /** As a real one: what is keyed by an id that waits is applied, anything else changes nothing, and both succeed. */
  #take(thread: ScriptedThread, { command, metadata = {} }: AnswerBody) {
    const run = {
      run_id: `run-${this.#next()}`,
      status: "success",
      created_at: new Date().toISOString(),
      metadata,
    };
    thread.runs.push(run);
    const [[id, resume] = []] = Object.entries(command.resume);
    const waits = Object.values(thread.interrupts).flat();
    if (waits.some((one) => one.id === id)) {
      this.effects.push(resume);
      thread.interrupts = Object.fromEntries(
        Object.entries(thread.interrupts).filter(([, list]) => !list.some((one) => one.id === id)),
      );
      if (Object.keys(thread.interrupts).length === 0) {
        const parent = thread.checkpoint ?? "";
        thread.history.unshift({
          parent_checkpoint: { checkpoint_id: parent },
          metadata: { run_id: run.run_id },
        });
        thread.checkpoint = `checkpoint-${this.#next()}`;
        thread.status = "idle";
      }
    }
    thread.updated = this.#next();
    return { ...run, status: "pending" };
  }
}

type Page = { limit: number; offset?: number; ids?: string[]; select?: string[] };
type BeginBody = { input: { messages: unknown[] }; metadata?: Record<string, unknown> };
type AnswerBody = { command: { resume: Record<string, unknown> }; metadata?: Record<string, unknown> };

/** The oldest first, as the server in JavaScript has them. */
function pageOf<T>(all: T[], path: string): T[] {
  const query = new URL(path, "http://server").searchParams;
  const offset = Number(query.get("offset") ?? 0);
  return all.slice(offset, offset + Number(query.get("limit") ?? 10));
}

function routeOf(pathname: string, method: string | undefined, body: unknown): Route {
  const [, kind, name, part, run, act] = pathname.split("/");
  if (kind === "assistants") return "assistants";
  if (name === "search") return "list";
  if (name === undefined) return "create";
  if (part === "state" || part === "history") return part;
  if (part !== "runs") return "thread";
  if (act === "cancel") return "cancel";
  if (act === "stream") return "words";
  if (run !== undefined) return "run";
  if (method !== "POST") return "runs";
  return typeof body === "object" && body !== null && "input" in body ? "begin" : "answer";
}

function stateOf({ interrupts, checkpoint, error, messages }: ScriptedThread) {
  const tasks = Object.entries(interrupts).map(([id, list]) => ({
    id,
    name: "HumanInTheLoopMiddleware.after_model",
    error: error ?? null,
    interrupts: list,
    result: null,
  }));
  return {
    values: { messages },
    next: tasks.map((task) => task.name),
    tasks,
    checkpoint: checkpoint === null ? null : { checkpoint_id: checkpoint, checkpoint_ns: "" },
  };
}
