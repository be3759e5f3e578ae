/** The agent source of deep agents: graphs of LangGraph on this machine, whose memory is in checkpoints. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { BaseMessage } from "@langchain/core/messages";
import type { ThreadId } from "../../../shared/ids.ts";
import { giveWay, waitForTurn } from "../../base/give-way.ts";
import { judging } from "../../rules/judging-thread.ts";
import { makePolicyContext } from "../../rules/policy-context.ts";
import type { LinearSqliteSaver } from "../../storage/checkpointer/linear-sqlite-saver.ts";
import { createDurableCommits } from "../../storage/durable-commit.ts";
import type { SessionMessage } from "../../threads/deepagents/sessions.ts";
import type { AgentSource, Effects, SourceServices } from "../source.ts";
import type { ToldContext } from "../told-context.ts";
import type { UnusedParts } from "./build-ahead.ts";
import { askForeign, toForeignAnswers } from "./foreign-interrupts.ts";
import { createGraphs, type GraphsParts, loadBuilders } from "./graphs.ts";
import type { OverflowOf } from "./overflow-backend.ts";
import type { Graph } from "./run-turn.ts";
import { readTurnInput } from "./turn-input.ts";
import { WorkspaceBackend } from "./workspace-backend.ts";

export type DeepAgentParts = Omit<GraphsParts, "slots" | "journal" | "backendOf" | "overflowOf"> & {
  dataDir: string;
  memoryLost: string | undefined;
  isLookedAt: ToldContext["isLookedAt"];
};

/** LangGraph and deepagents are loaded by `warmUp`, or with the first run. */
export function createDeepAgent(parts: DeepAgentParts, services: SourceServices): AgentSource {
  const { journal, effects, slots } = services;
  const { approvals, now } = journal;
  const overflowOf: OverflowOf = (threadId) => ({
    results: join(parts.dataDir, "results", threadId),
    history: join(parts.dataDir, "history", threadId),
  });
  const graphOf = createGraphs({
    ...parts,
    overflowOf,
    slots,
    journal,
    backendOf(workspace) {
      // The first look at a folder takes longest; by the time the agent runs a command it was taken.
      effects.lookAhead(workspace);
      // And what runs the command and judges it is there.
      effects.shell.warmUp();
      judging.warmUp();
      return new WorkspaceBackend(effects, workspace, parts.isLookedAt);
    },
  });

  const takeBack = createMemoryTakeBack(parts.checkpointer);

  return {
    can: {
      chooseModel: true,
      chooseAgent: true,
      editArguments: true,
      subAgents: true,
      resume: true,
      export: true,
      messages: true,
    },
    memoryLost: parts.memoryLost,
    warmUp: () => warmUp(parts, effects, { overflowOf, slots, journal }),
    async run(work, run) {
      const { thread, turn } = work;
      // The message that begins it was taken, written down and told in this very turn of the loop.
      await waitForTurn();
      const { runTurn } = await import("./run-turn.ts");
      const graph = await graphOf(thread);
      await giveWay();
      const input = await readTurnInput(graph, work, {
        answersTo: (waiting) => toForeignAnswers(approvals, thread.id, waiting, now()),
        noteCheckpoint: services.noteCheckpoint,
      });
      await giveWay();
      return runTurn(graph, input, run, {
        onDelta: (delta) => services.onDelta(thread.id, delta),
        onForeignInterrupt(interrupt) {
          const place = { threadId: thread.id, turnId: turn.id, cwd: thread.workspace };
          askForeign(approvals, place, interrupt);
        },
      });
    },
    async adopt(thread, said) {
      await adopt(await graphOf(thread), thread.id, said);
    },
    async forget(threadId) {
      await (await parts.checkpointer()).deleteThread(threadId);
      for (const folder of Object.values(overflowOf(threadId)))
        await rm(folder, { recursive: true, force: true });
    },
    fork: {
      has: takeBack.has,
      async copy(from: ThreadId, to: ThreadId, checkpointId) {
        const saver = await parts.checkpointer();
        // The same command again, after an answer that got lost: the copy is there.
        if (checkpointId !== null && saver.threadBytes(to) === 0) saver.copyThread(from, to, checkpointId);
      },
    },
    takeBack,
  };
}

/** Each import holds the loop for as long as it takes. */
async function warmUp(
  { shellTitle, models, checkpointer, dataDir }: DeepAgentParts,
  effects: Effects,
  unused: Pick<UnusedParts, "overflowOf" | "slots" | "journal">,
): Promise<void> {
  effects.shell.warmUp();
  // Its thread has read the tables and compiled what it reads bash with once a command was judged.
  const nobodys = makePolicyContext({
    ...{ workspace: dataDir, dataDir, shell: "bash", trusted: false, rules: [] },
  });
  void judging.judge("git status && npm test | tail -n 5 > out.txt", nobodys);
  await shellTitle();
  await import("./run-turn.ts");
  await waitForTurn();
  const [, { loadClient }] = await loadBuilders();
  await waitForTurn();
  const { provider } = models.defaultModel();
  await loadClient(provider);
  await waitForTurn();
  const saver = await checkpointer();
  await waitForTurn();
  const { buildAhead } = await import("./build-ahead.ts");
  const backend = new WorkspaceBackend(effects, dataDir);
  await buildAhead({ ...unused, workspace: dataDir, backend, provider, checkpointer: saver });
}

/** So many fill a turn of the loop, and each part reads all before it once more. */
const messagesAtOnce = 500;

/** As if its model had just said the last of it: calls without a result come next, and pass the gate as any other. */
export async function adopt(
  graph: Pick<Graph, "updateState">,
  threadId: ThreadId,
  said: readonly SessionMessage[],
): Promise<void> {
  const { AIMessage, HumanMessage, ToolMessage } = await import("@langchain/core/messages");
  const messages = said.map((one): BaseMessage => {
    const { id, text } = one;
    if (one.kind === "person") return new HumanMessage({ id, content: text });
    if (one.kind === "agent")
      return new AIMessage({
        id,
        content: text,
        tool_calls: one.calls.map((call) => ({ ...call, type: "tool_call" as const })),
      });
    const { callId, name, failed } = one;
    const status = failed ? ("error" as const) : ("success" as const);
    return new ToolMessage({ id, content: text, tool_call_id: callId, name, status });
  });
  const place = { configurable: { thread_id: threadId } };
  for (let from = 0; from < messages.length; from += messagesAtOnce) {
    const some = messages.slice(from, from + messagesAtOnce);
    await waitForTurn();
    await graph.updateState(place, { messages: some }, "model_request");
  }
}

/** @param checkpointer where the agents' memories are */
export function createMemoryTakeBack(
  checkpointer: () => Promise<LinearSqliteSaver>,
): NonNullable<AgentSource["takeBack"]> {
  /** Checkpoints are not synced one by one; what a person took back must not be there again after a power cut. */
  async function onDisk(act: (saver: LinearSqliteSaver) => void): Promise<void> {
    const saver = await checkpointer();
    const durable = createDurableCommits(saver.db);
    try {
      await durable.commitDurably(() => act(saver));
    } finally {
      await durable.close();
    }
  }
  return {
    async has(threadId: ThreadId, checkpointId) {
      if (checkpointId === null) return true;
      const configurable = { thread_id: threadId, checkpoint_ns: "", checkpoint_id: checkpointId };
      return (await (await checkpointer()).getTuple({ configurable })) !== undefined;
    },
    at: async (threadId) => (await checkpointer()).newestCheckpoint(threadId),
    to: (threadId, where) => onDisk((saver) => saver.takeThreadBack(threadId, where)),
    undo: (threadId, mark) => onDisk((saver) => saver.bringThreadForth(threadId, mark)),
  };
}
