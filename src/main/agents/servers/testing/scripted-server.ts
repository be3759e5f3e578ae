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

export type Route = "list" | "thread" | "state" | "answer" | "runs" | "run" | "history";
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
  /** In place of what a route does; `go` does it after all. */
  readonly instead = new Map<Route, Handler>();
  /** What was done with each answer, in order. */
  readonly effects: unknown[] = [];
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
    const [, , name = "", part = "", run = ""] = pathname.split("/");
    const route = routeOf(name, part, run, request.method);
    const heard: Heard = { route, path: request.url ?? "", body, headers: request.headers };
    this.heard.push(heard);
    const go = () => this.#answer(response, heard, name, run);
    const instead = this.instead.get(route);
    if (instead) instead(response, go, heard);
    else go();
  }

  #answer(response: ServerResponse, heard: Heard, name: string, run: string): void {
    const value = heard.route === "list" ? this.#list(heard.body as Page) : this.#of(heard, name, run);
    if (response.destroyed || response.headersSent) return;
    response.writeHead(value === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(value ?? { detail: "Not found" }));
  }

  #of({ route, body }: Heard, name: string, run: string): unknown {
    const thread = this.threads.get(name);
    if (!thread) return undefined;
    const parts: Partial<Record<Route, () => unknown>> = {
      thread: () => ({ thread_id: name, ...this.#row(thread) }),
      state: () => stateOf(thread),
      runs: () => thread.runs,
      run: () => thread.runs.find(({ run_id }) => run_id === run),
      history: () => thread.history,
      answer: () => this.#take(thread, body as AnswerBody),
    };
    return parts[route]?.();
  }

  #list({ limit, offset }: Page) {
    return [...this.threads]
      .filter(([, { status }]) => status === "interrupted")
      .slice(offset, offset + limit)
      .map(([thread_id, { status, updated }]) => ({ thread_id, status, updated_at: String(updated) }));
  }

  #row({ status, interrupts, assistant, updated }: ScriptedThread) {
    return {
      status,
      interrupts,
      updated_at: String(updated),
      metadata: { assistant_id: assistant, graph_id: "agent" },
    };
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

type Page = { limit: number; offset: number };
type AnswerBody = { command: { resume: Record<string, unknown> }; metadata?: Record<string, unknown> };

function routeOf(name: string, part: string, run: string, method: string | undefined): Route {
  if (name === "search") return "list";
  if (part === "state" || part === "history") return part;
  if (part === "runs") return run !== "" ? "run" : method === "POST" ? "answer" : "runs";
  return "thread";
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
