/** What the tests of the gate share: a real deep agent with the scripted model, over the real journal and files; its commands are noted and not run. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { ToolMessage } from "langchain";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { type Agent, agentSchema } from "../../../../shared/contract/agents.ts";
import type { ModelRef } from "../../../../shared/contract/models.ts";
import type { MessageId } from "../../../../shared/ids.ts";
import { createLoopPlace, type LoopPlace } from "../../../base/loop-place.ts";
import type { ChangeObserver } from "../../../files/change-observer.ts";
import { createWorkspaceFiles } from "../../../files/workspace-files.ts";
import type { GatedCall } from "../../../gate/call.ts";
import type { Journal } from "../../../gate/journal.ts";
import type { RunContext } from "../../../gate/run-context.ts";
import {
  type DeathPoint,
  type JudgedAs,
  TestJournal,
  threadId,
  turnId,
} from "../../../gate/testing/test-journal.ts";
import { createChatModel } from "../../../models/create-chat-model.ts";
import { DemoChatModel } from "../../../models/demo/demo-chat-model.ts";
import type { RunningCommand } from "../../../shell/running-command.ts";
import type { RunOptions } from "../../../shell/shell-options.ts";
import { createCommandRunner } from "../../command-runner.ts";
import { createModelSlots } from "../../model-slots.ts";
import { endOf, type RunEnd } from "../../run-end.ts";
import type { Effects } from "../../source.ts";
import { buildAgent } from "../build-agent.ts";
import { type Graph, type RunInput, runTurn } from "../run-turn.ts";
import { askHuman } from "../tools/own-tools.ts";
import { WorkspaceBackend } from "../workspace-backend.ts";

export type GateThreadOptions = {
  agent?: Record<string, unknown>;
  /** Reading, planning, delegating and asking the person are free; the rest asks, unless this says otherwise. */
  judge?(call: GatedCall): JudgedAs | undefined;
  tools?: StructuredTool[];
  /** Instead of the scripted model: one that is reached over the network. */
  model?: ModelRef;
  /** How many model calls an agent may make in one run. */
  callLimit?: number;
};

const freeTools = new Set(["ls", "read_file", "glob", "grep", "write_todos", "task", "ask_human"]);

export class GateThread {
  readonly journal: TestJournal;
  /** Commands that really ran, with how they began and ended. */
  readonly commands: string[] = [];
  readonly workspace = mkdtempSync(join(tmpdir(), "countersign-gate-"));
  /** Interrupts the run reported; those that the gate filed are among them, and those that it only rests on are not. */
  readonly reported: { id: string; value: unknown }[] = [];
  readonly backend = this.#createBackend();
  /** How much of messages that were being written was told to whoever watches. */
  toldChars = 0;
  /** What it took its place on the loop for, and where it left it. */
  readonly stretches: string[] = [];
  /** The tools each model call was offered, newest last. */
  readonly offered: { name: string; description: string }[][] = [];
  readonly #agent: Agent;
  readonly #tools: StructuredTool[];
  readonly #model: ModelRef | undefined;
  readonly #callLimit: number;
  #messages = 0;
  #saver = new MemorySaver();
  #graph: Graph | undefined;
  #builtBy: Journal | undefined;
  #run: RunContext | undefined;
  #stopper = new AbortController();

  constructor(options: GateThreadOptions = {}) {
    onTestFinished(() => rmSync(this.workspace, { recursive: true, force: true }));
    this.#agent = agentSchema.parse({ id: "a", name: "A", prompt: "Work.", ...options.agent });
    this.#model = options.model;
    this.#callLimit = options.callLimit ?? 30;
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

  /** The names of what the agent has in its workspace. */
  get files(): string[] {
    return readdirSync(this.workspace);
  }

  /** How many steps its graph has taken; before the first there is none. */
  async steps(): Promise<number> {
    const saved = await this.#saver.getTuple({ configurable: { thread_id: threadId } });
    return saved?.metadata?.step ?? -1;
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
    this.#run = createRun(this.workspace, this.#stopper, this.#notedPlace());
    const graph = await this.#graphOf(process.journal);
    const running = runTurn(graph, input, this.#run, {
      onDelta: ({ text = "", reasoning = "" }) => {
        this.toldChars += text.length + reasoning.length;
      },
      onForeignInterrupt: (interrupt) => this.reported.push(interrupt),
    });
    return endOf(running, this.#run.signal);
  }

  #notedPlace(): LoopPlace {
    const { take, leave } = createLoopPlace(this.#stopper.signal);
    return {
      take: (stretch) => {
        this.stretches.push(stretch);
        return take(stretch);
      },
      leave: () => {
        if (this.stretches.at(-1) !== "left") this.stretches.push("left");
        leave();
      },
    };
  }

  /** A process builds it once. */
  async #graphOf(journal: Journal): Promise<Graph> {
    if (this.#graph !== undefined && this.#builtBy === journal) return this.#graph;
    this.#builtBy = journal;
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
      workspace: this.workspace,
      memory: { folder: [], skills: [], own: [] },
      checkpointer: this.#saver,
      modelCallLimit: this.#callLimit,
      slots: createModelSlots(
        () => 8,
        () => {},
      ),
      journal,
    });
    return this.#graph;
  }

  /** What a dead process left on disk is all that the next one finds. */
  #keepCheckpoint(): void {
    const left = new MemorySaver();
    left.storage = structuredClone(this.#saver.storage);
    left.writes = structuredClone(this.#saver.writes);
    this.#saver = left;
  }

  #createBackend(): WorkspaceBackend {
    const commands = createCommandRunner({
      shell: { run: async ({ command }: RunOptions) => this.#note(command) },
      executions: { noteProcess: () => {} },
      commandTimeoutMs: () => Number.POSITIVE_INFINITY,
      watch: { around: (_thread, _root, act) => act() },
      rootOf: (workspace) => workspace,
      noteStep: () => undefined,
    });
    const effects: Partial<Effects> = {
      filesOf: createWorkspaceFiles,
      observeChanges: () => unobserved,
      commands,
    };
    return new WorkspaceBackend(effects as Effects, this.workspace);
  }

  /** Stands for the process of a command, which ends at once. */
  #note(command: string): RunningCommand {
    this.commands.push(command);
    if (command.startsWith("explode")) throw new Error("the computer is on fire");
    const exitCode = command.startsWith("fail") ? 1 : 0;
    const output = { output: `ran ${command}`, truncated: false, bytes: 1, logPath: "" };
    const end = { outcome: "exited" as const, exitCode, durationMs: 0, stillRunning: [], mayRunMore: false };
    const done = Promise.resolve({ ...output, ...end });
    return { pid: 1, startTime: "", logPath: "", done } as Partial<RunningCommand> as RunningCommand;
  }
}

const unobserved: ChangeObserver = { beforeChange: async () => {}, afterChange: async () => {} };

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

function createRun(workspace: string, { signal }: AbortController, loop: LoopPlace): RunContext {
  return {
    threadId,
    turnId,
    workspace,
    signal,
    loop,
    mayEdit: true,
    busy: 0,
    onQuiet: () => {},
    refusals: new Map(),
  };
}
