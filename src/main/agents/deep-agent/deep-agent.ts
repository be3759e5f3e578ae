/** The agent source of deep agents: graphs of LangGraph on this machine, whose memory is in checkpoints. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ThreadId } from "../../../shared/ids.ts";
import { giveWay, waitForTurn } from "../../base/give-way.ts";
import { judging } from "../../rules/judging-thread.ts";
import type { AgentSource, Effects, SourceServices } from "../source.ts";
import type { UnusedParts } from "./build-ahead.ts";
import { askForeign, toForeignAnswers } from "./foreign-interrupts.ts";
import { createGraphs, type GraphsParts, loadBuilders } from "./graphs.ts";
import type { OverflowOf } from "./overflow-backend.ts";
import { createMemoryTakeBack } from "./take-back.ts";
import { readTurnInput } from "./turn-input.ts";
import { WorkspaceBackend } from "./workspace-backend.ts";

export type DeepAgentParts = Omit<GraphsParts, "slots" | "journal" | "backendOf" | "overflowOf"> & {
  dataDir: string;
  memoryLost: string | undefined;
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
      return new WorkspaceBackend(effects, workspace);
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
      const [{ adopt }, graph] = await Promise.all([import("./adopt.ts"), graphOf(thread)]);
      await adopt(graph, thread.id, said);
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
  judging.warmUp();
  await shellTitle();
  await import("./run-turn.ts");
  await waitForTurn();
  const [, { loadClient }] = await loadBuilders();
  await waitForTurn();
  await loadClient(models.defaultModel().provider);
  await waitForTurn();
  const saver = await checkpointer();
  await waitForTurn();
  const { buildAhead } = await import("./build-ahead.ts");
  const backend = new WorkspaceBackend(effects, dataDir);
  await buildAhead({ ...unused, workspace: dataDir, backend, checkpointer: saver });
}
