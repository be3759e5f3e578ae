/** A real LangGraph server as a child, behind a line that counts its answers and can be cut. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { agentSchema } from "../../../../shared/contract/agents.ts";
import { toProject } from "../../langgraph-project/project.ts";
import { writeProject } from "../../langgraph-project/write-project.ts";
import { freePort } from "../../mcp/testing/reference-servers.ts";
import { NotesServer, notesKey } from "./notes-server.ts";

/** Where `npm run test:servers` installed it; nothing where it could not. */
export const installed = process.env.COUNTERSIGN_SERVERS;

const files = ["real-server.mjs", "real-graphs.mjs"];
/** Written as any agent is exported, with some tools, a rule of its own, a sub-agent, and an MCP server beside one that is away. */
const exportedWith = (url: string) =>
  toProject(
    agentSchema.parse({
      id: "exported",
      name: "Exported",
      prompt: "You work.",
      tools: ["read_file", "write_file", "task", "mcp__notes__note"],
      mcpServers: ["notes", "away"],
      subAgents: [
        { name: "scribe", description: "Writes", prompt: "You write.", tools: ["mcp__notes__note"] },
      ],
      interruptOn: {
        read_file: {
          allowedDecisions: ["approve", "reject", "respond"],
          when: { args: { file_path: { matches: "secret" } } },
        },
      },
    }),
    { provider: "demo", model: "demo" },
    [
      { transport: "http", name: "notes", url, headers: { Authorization: notesKey }, enabled: true },
      { transport: "http", name: "away", url: "http://127.0.0.1:9/mcp", headers: {}, enabled: true },
    ],
  );

export class RealServer {
  readonly #place = mkdtempSync(join(installed ?? "", "run-"));
  /** Where an exported agent keeps its notes. */
  readonly notes = new NotesServer();
  #child: ChildProcess | undefined;
  #line: net.Server | undefined;
  #port = 0;
  #linePort = 0;
  #onAnswer: () => void = () => undefined;
  #seenEffects = 0;
  /** How many answers went through the line. */
  answers = 0;
  /** The next answer reaches the server, and the line breaks before the server's own. */
  cutNext = false;

  /** As this console reaches it. */
  get url(): string {
    return `http://127.0.0.1:${this.#linePort}`;
  }

  /** What was done since the last question. */
  newEffects(): string[] {
    const path = join(this.#place, "effects");
    const all = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
    const fresh = all.slice(this.#seenEffects);
    this.#seenEffects = all.length;
    return fresh;
  }

  async start(): Promise<void> {
    for (const name of files)
      copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(this.#place, name));
    const project = join(this.#place, "exported");
    if (this.#port === 0) {
      await this.notes.start();
      writeProject(project, exportedWith(this.notes.url));
      // As a person puts it there.
      const skill = join(project, "context/skills/tidy");
      mkdirSync(skill, { recursive: true });
      writeFileSync(join(project, "context/AGENTS.md"), "Indent with tabs-not-spaces.");
      const head = "---\nname: tidy\ndescription: For sweeping-the-shed\n---\n";
      writeFileSync(join(skill, "SKILL.md"), `${head}Sweep from the back.\n`);
      this.#port = await freePort();
    }
    const { PATH = "" } = process.env;
    const env = {
      PATH,
      EFFECTS: join(this.#place, "effects"),
      LANGSMITH_TRACING: "false",
      MODEL_MODULE: "../real-graphs.mjs",
      MCP_NOTES_AUTHORIZATION: notesKey,
    };
    const args = ["real-server.mjs", String(this.#port)];
    const child = spawn(process.execPath, args, {
      cwd: this.#place,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    await new Promise<void>((ready, fail) => {
      // Read to the end: whoever closes it makes the server fail at its next line.
      child.stdout.on("data", (chunk) => String(chunk).includes("ready") && ready());
      child.once("exit", (code) => fail(new Error(`The server ended with ${code}.`)));
    });
    if (!this.#line) await this.#openLine();
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  async close(): Promise<void> {
    await this.end("SIGKILL");
    this.#line?.close();
    this.notes.close();
    rmSync(this.#place, { recursive: true, force: true });
  }

  /** Resolves when the next answer goes out to the server. */
  nextAnswer(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
    });
  }

  /** Past the line, as another client would. */
  async ask(path: string, body?: object): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  /** A thread that has come to rest after this. @returns its id */
  async begin(graph: string, text: string): Promise<string> {
    const { thread_id: id } = (await this.ask("/threads", {})) as { thread_id: string };
    await this.say(id, graph, text);
    return id;
  }

  async say(thread: string, graph: string, text: string): Promise<void> {
    const input = { messages: [{ role: "user", content: text }] };
    await this.ask(`/threads/${thread}/runs`, { assistant_id: graph, input });
    await this.settle(thread);
  }

  async settle(thread: string): Promise<void> {
    for (;;) {
      const { status } = (await this.ask(`/threads/${thread}`)) as { status: string };
      if (status !== "busy") return;
      await wait(50);
    }
  }

  async #openLine(): Promise<void> {
    this.#line = net.createServer((client) => {
      const server = net.connect(this.#port, "127.0.0.1");
      client.on("data", (data) => {
        if (/^POST \/threads\/[^/]+\/runs /.test(data.toString("latin1"))) {
          this.answers += 1;
          this.#onAnswer();
          if (this.cutNext) server.once("data", () => client.destroy());
          this.cutNext = false;
        }
        server.write(data);
      });
      server.on("data", (data) => client.write(data));
      client.on("error", () => server.destroy()).on("close", () => server.end());
      server.on("error", () => client.destroy()).on("close", () => client.end());
    });
    this.#line.listen(0, "127.0.0.1");
    await once(this.#line, "listening");
    this.#linePort = (this.#line.address() as net.AddressInfo).port;
  }
}
