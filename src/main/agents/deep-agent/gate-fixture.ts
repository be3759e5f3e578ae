/** What the tests of the gate share: a real deep agent with the scripted model, over the real journal and a computer in memory. */
import { tmpdir } from "node:os";
import type { StructuredTool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { ToolMessage } from "langchain";
import { z } from "zod";
import { type Agent, agentSchema } from "../../../shared/contract/agents.ts";
import type { ModelRef } from "../../../shared/contract/models.ts";
import type { MessageId } from "../../../shared/ids.ts";
import type { GatedCall } from "../../gate/call.ts";
import type { RunContext } from "../../gate/run-context.ts";
import {
  type DeathPoint,
  type JudgedAs,
  TestJournal,
  threadId,
  turnId,
} from "../../gate/testing/test-journal.ts";
import { createChatModel } from "../../models/create-chat-model.ts";
import { DemoChatModel } from "../../models/demo/demo-chat-model.ts";
import { createModelSlots } from "../model-slots.ts";
import { endOf, type RunEnd } from "../run-end.ts";
import { buildAgent } from "./build-agent.ts";
import { type Graph, type RunInput, runTurn } from "./run-turn.ts";
import { askHuman } from "./tools/ask-human.ts";
import { WorkspaceBackend } from "./workspace-backend.ts";

export type GateThreadOptions = {
  agent?: Record<string, unknown>;
  /** Reading, planning, delegating and asking the person are free; the rest asks, unless this says otherwise. */
  judge?(call: GatedCall): JudgedAs | undefined;
  tools?: StructuredTool[];
  /** Instead of the scripted model: one that is reached over the network. */
  model?: ModelRef;
};

const freeTools = new Set(["ls", "read_file", "glob", "grep", "write_todos", "task", "ask_human"]);

export class GateThread {
  readonly journal: TestJournal;
  /** Commands that really ran, with how they began and ended. */
  readonly commands: string[] = [];
  readonly files = new Map<string, string>();
  /** Where paths lead at the moment of a read that is bound to one. */
  readonly realPaths = new Map<string, string>();
  /** Interrupts the run reported; those that the gate filed are among them, and those that it only rests on are not. */
  readonly reported: { id: string; value: unknown }[] = [];
  readonly backend = this.#createBackend();
  /** The tools each model call was offered, newest last. */
  readonly offered: { name: string; description: string }[][] = [];
  readonly #agent: Agent;
  readonly #tools: StructuredTool[];
  readonly #model: ModelRef | undefined;
  #messages = 0;
  #saver = new MemorySaver();
  #graph: Graph | undefined;
  #run: RunContext | undefined;
  #stopper = new AbortController();

  constructor(options: GateThreadOptions = {}) {
    this.#agent = agentSchema.parse({ id: "a", name: "A", prompt: "Work.", ...options.agent });
    this.#model = options.model;
    this.#tools = [askHuman as unknown as StructuredTool, ...(options.tools ?? [])];
    this.journal = new TestJournal(
      (call) => options.judge?.(call) ?? (freeTools.has(call.tool) ? "free" : "ask"),
    );
    this.journal.onDeath = () => {
      this.#keepCheckpoint();
      this.#stopper.abort();
    };
  }

  /** Runs a message until the agent rests. @param dieAt where the process dies instead. */
  async send(text: string, dieAt?: DeathPoint): Promise<RunEnd> {
    this.#messages += 1;
    const messageId = `m${this.#messages}` as MessageId;
    return this.#go({ kind: "message", content: text, messageId }, dieAt);
  }

  /** Wakes the thread again, as after a restart, without any answer in the input. */
  async goOn(): Promise<RunEnd> {
    return this.#go({ kind: "continue", answers: {} });
  }

  /** The person stops the turn. */
  stop(): void {
    this.#stopper.abort();
  }

  /** The process is killed; what it had made durable is all that is left. */
  die(): void {
    this.journal.die();
  }

  /** The tool messages of the thread's own agent, by tool call. */
  async results(): Promise<{ tool: string; text: string; isError: boolean }[]> {
    const state = await this.#graph!.getState({ configurable: { thread_id: threadId } });
    const { messages } = z.object({ messages: z.array(z.unknown()) }).parse(state.values);
    return messages
      .filter((message) => ToolMessage.isInstance(message))
      .map((message) => ({
        tool: message.name ?? "",
        text: message.text,
        isError: message.status === "error",
      }));
  }

  async #go(input: RunInput, dieAt?: DeathPoint): Promise<RunEnd> {
    const process = this.journal.running(dieAt);
    this.#stopper = new AbortController();
    this.#run = createRun(this.#stopper);
    this.#graph = await buildAgent({
      surroundings: { platform: "linux", shell: "bash 5.2" },
      agent: this.#agent,
      model: this.#model ?? { provider: "demo", model: "demo" },
      chatModel: async (ref) =>
        this.#model
          ? createChatModel(ref, { apiKeyFor: () => "a-key" })
          : new OfferedToolsModel(this.offered),
      tools: this.#tools,
      backend: this.backend,
      overflowOf: () => ({ results: tmpdir(), history: tmpdir() }),
      workspace,
      memory: { files: [], skills: [] },
      checkpointer: this.#saver,
      modelCallLimit: 30,
      slots: createModelSlots(
        () => 8,
        () => {},
      ),
      journal: process.journal,
    });
    const running = runTurn(this.#graph, input, this.#run, {
      onDelta: () => {},
      onForeignInterrupt: (interrupt) => this.reported.push(interrupt),
    });
    return endOf(running, this.#run.signal);
  }

  /** What a dead process left on disk is all that the next one finds. */
  #keepCheckpoint(): void {
    const left = new MemorySaver();
    left.storage = structuredClone(this.#saver.storage);
    left.writes = structuredClone(this.#saver.writes);
    this.#saver = left;
  }

  #createBackend(): WorkspaceBackend {
    return new WorkspaceBackend({
      id: "test",
      reads: {
        ls: async () => ({ files: [...this.files.keys()].map((path) => ({ path, is_dir: false })) }),
        read: async (path, _offset, _limit, { shownPath }) => {
          if (shownPath !== undefined && shownPath !== this.realPaths.get(path)) return "stale";
          const content = this.files.get(path);
          return content === undefined ? { error: `${path} not found` } : { content };
        },
        readRaw: async () => ({ error: "not here" }),
        grep: async () => ({ matches: [] }),
        glob: async () => ({ files: [] }),
      },
      change: async (change) => {
        if (change.operation === "write") this.files.set(change.path, change.content);
        if (change.operation === "delete") this.files.delete(change.path);
        return { path: change.path, added: 1, removed: 0, occurrences: 1 };
      },
      run: async (command) => {
        this.commands.push(command);
        if (command.startsWith("explode")) throw new Error("the computer is on fire");
        const exitCode = command.startsWith("fail") ? 1 : 0;
        return { output: `ran ${command}`, exitCode, truncated: false, cancelled: false, bytes: 1 };
      },
    });
  }
}

/** The scripted model, which also notes what it could have called. */
class OfferedToolsModel extends DemoChatModel {
  readonly #offered: { name: string; description: string }[][];

  constructor(offered: { name: string; description: string }[][]) {
    super({ wordDelayMs: 0 });
    this.#offered = offered;
  }

  override bindTools(tools: unknown = []): this {
    this.#offered.push(offeredSchema.parse(tools));
    return this;
  }
}

const offeredSchema = z.array(z.object({ name: z.string(), description: z.string() }));

const workspace = "/work";

function createRun(stopper: AbortController): RunContext {
  return {
    threadId,
    turnId,
    workspace,
    signal: stopper.signal,
    mayEdit: true,
    busy: 0,
    onQuiet: () => {},
    refusals: new Map(),
  };
}
