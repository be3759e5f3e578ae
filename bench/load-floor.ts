/** The floor of the load: the same agents, gate, policy and shell, but no checkpointer, a journal that keeps nothing, and no window. */
import { join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { defaultAgent } from "../src/main/agent-files/agent-store.ts";
import { createCommandRunner } from "../src/main/agents/command-runner.ts";
import { buildAgent } from "../src/main/agents/deep-agent/build-agent.ts";
import { runTurn } from "../src/main/agents/deep-agent/run-turn.ts";
import { askHuman } from "../src/main/agents/deep-agent/tools/own-tools.ts";
import { WorkspaceBackend } from "../src/main/agents/deep-agent/workspace-backend.ts";
import { createModelSlots } from "../src/main/agents/model-slots.ts";
import type { ApprovalRow } from "../src/main/approvals/approval-row.ts";
import type { ApprovalStore } from "../src/main/approvals/approval-store.ts";
import { createAutoApproveSwitch } from "../src/main/approvals/auto-approve.ts";
import type { ExecutionStore } from "../src/main/approvals/execution-store.ts";
import type { Ledger } from "../src/main/approvals/ledger.ts";
import { createWaitingRoom } from "../src/main/approvals/waiting-room.ts";
import { openChangeFile } from "../src/main/files/change-store.ts";
import { createChangeTracker } from "../src/main/files/change-tracker.ts";
import { createCommandWatch } from "../src/main/files/command-watch.ts";
import { createOriginalBlobs } from "../src/main/files/original-blobs.ts";
import { createWorkspaceFiles } from "../src/main/files/workspace-files.ts";
import type { Journal } from "../src/main/gate/journal.ts";
import { createJudge } from "../src/main/gate/judge.ts";
import type { RouteStore } from "../src/main/gate/route-store.ts";
import type { RunContext } from "../src/main/gate/run-context.ts";
import { createChatModel } from "../src/main/models/create-chat-model.ts";
import { judging } from "../src/main/rules/judging-thread.ts";
import { createSandbox } from "../src/main/sandbox/sandbox.ts";
import { Shell } from "../src/main/shell/shell.ts";
import type { EventLog } from "../src/main/threads/event-log.ts";
import type { ThreadRow, ThreadStore } from "../src/main/threads/thread-store.ts";
import { createToolPolicy } from "../src/main/tools/tool-policy.ts";
import { defaultSettings } from "../src/shared/contract/console.ts";
import type { ExecutionId, MessageId, ThreadId, TurnId } from "../src/shared/ids.ts";
import { forkBuilt } from "./fork-built.ts";
import { maxActiveRuns, readBegin } from "./load-plan.ts";
import { answerParent } from "./load-probe.ts";

const [folder, workspace] = process.argv.slice(2) as [string, string];
const demo = { provider: "demo" as const, model: "demo" };
const nothing = () => undefined;
const files = createWorkspaceFiles(workspace);
const shell = new Shell({ logDir: join(folder, "command-logs"), assertPermit: nothing, fork: forkBuilt });
const tracker = createChangeTracker(
  createOriginalBlobs(join(folder, "originals")),
  await openChangeFile(join(folder, "changed-files.jsonl")),
);
const commandWatch = createCommandWatch(tracker, folder, nothing);
const slots = createModelSlots(() => maxActiveRuns, nothing);
const policy = createToolPolicy({
  dataDir: folder,
  shell: "bash",
  rulesFor: () => ({ commands: [], files: [] }),
  isTrusted: () => false,
  filesOf: () => files,
});
const autoApprove = createAutoApproveSwitch(Date.now, nothing, nothing);
const sandbox = createSandbox({ mode: () => "off", onKnown: nothing });
const judge = createJudge({ policy, shell: "bash", autoApprove, sandbox, originsOf: async () => [] });

type Waiting = { threadId: ThreadId; decide(at: number): void };

/** Calls that wait, oldest first. */
const waiting: Waiting[] = [];
const decidedAt = new Map<string, number>();
const startDelays: number[] = [];

/** The journal that writes nothing down: what waits for a decision and what runs is all that it holds. */
function createFloorJournal(): Journal {
  const rows = new Map<string, ApprovalRow>();
  const running = new Map<ExecutionId, string>();
  const room = createWaitingRoom();
  const get = threadOf;
  return {
    database: { transaction: (act: () => unknown) => act } as unknown as Journal["database"],
    commitDurably: async (act) => act(),
    now: Date.now,
    log: { append: () => [], hasItem: () => false, item: nothing } as Partial<EventLog> as EventLog,
    threads: { get, find: get, currentTurn: nothing } as Partial<ThreadStore> as ThreadStore,
    readings: { note: nothing },
    workspaces: { isTrusted: () => false },
    routes: { find: nothing, add: nothing } as Partial<RouteStore> as RouteStore,
    approvals: {
      latestOf: (callKey) => rows.get(callKey),
      ofCall: () => [],
      consume: () => true,
      ask(question) {
        const { id, callKey, threadId } = question;
        const row = { ...question, status: "pending" } as Partial<ApprovalRow> as ApprovalRow;
        rows.set(callKey, row);
        waiting.push({
          threadId,
          decide(at) {
            decidedAt.set(callKey, at);
            rows.set(callKey, {
              ...row,
              status: "decided",
              decision: { type: "approve" },
              decidedBy: { kind: "person" },
            });
            room.wake(id);
          },
        });
        return { row, created: true };
      },
    } as Partial<ApprovalStore> as ApprovalStore,
    executions: {
      latestOf: nothing,
      start: ({ id, callKey }) => void running.set(id, callKey),
      noteProcess: nothing,
      finish(id, { result }) {
        const callKey = running.get(id) ?? "";
        running.delete(id);
        rows.delete(callKey);
        const decided = decidedAt.get(callKey);
        const began = readBegin(result ?? "");
        if (decided !== undefined && began !== undefined) startDelays.push(began - decided);
      },
    } as Partial<ExecutionStore> as ExecutionStore,
    ledger: { add: nothing } as Partial<Ledger> as Ledger,
    room,
    autoApprove,
    judge,
    settings: { get: () => defaultSettings },
    spending: { ofThread: nothing },
    isUnattended: false,
    drawings: { again: async () => ({}) },
    underway: new Set(),
    lookAhead: (folder) => void commandWatch.lookAhead(folder),
    changedBy: nothing,
  };
}

const journal = createFloorJournal();

function threadOf(id: ThreadId): ThreadRow {
  return {
    id,
    title: id,
    titled: true,
    workspace,
    source: "deep-agent",
    agentId: defaultAgent.id,
    model: demo,
    status: "running",
    problem: undefined,
    unread: false,
    pinned: false,
    archived: false,
    forkedFrom: undefined,
    createdAt: 0,
    updatedAt: 0,
  };
}

shell.warmUp();
judging.warmUp();

const commands = createCommandRunner({
  shell,
  executions: journal.executions,
  commandTimeoutMs: () => 600_000,
  watch: commandWatch,
  rootOf: () => files.root,
  noteStep: nothing,
});

/** One for all threads, as the host shares it too. */
const graph = await buildAgent({
  surroundings: { platform: process.platform, shell: "bash" },
  agent: defaultAgent,
  model: demo,
  chatModel: (ref) => createChatModel(ref, { apiKeyFor: nothing }),
  tools: [askHuman as unknown as StructuredTool],
  backend: new WorkspaceBackend(
    {
      filesOf: () => files,
      observeChanges: ({ threadId }, root) => tracker.observe(threadId, root),
      shell,
      commands,
      lookAhead: nothing,
      commitRehearsed: () => Promise.resolve({ committed: false, why: "Nothing is rehearsed here." }),
    },
    workspace,
  ),
  overflowOf: () => ({ results: join(folder, "results"), history: join(folder, "history") }),
  workspace,
  memory: { folder: [], skills: [], own: [] },
  checkpointer: undefined as unknown as BaseCheckpointSaver,
  modelCallLimit: 10_000,
  slots,
  journal,
});

/** Runs one turn, as the host does, without a checkpoint to begin from. */
async function runThread(id: ThreadId, text: string): Promise<void> {
  const run: RunContext = {
    threadId: id,
    turnId: "turn" as TurnId,
    workspace,
    signal: new AbortController().signal,
    loop: { take: async () => {}, leave: nothing },
    mayEdit: true,
    busy: 0,
    onQuiet: nothing,
    refusals: new Map(),
  };
  const messageId = `${id}-message` as MessageId;
  const stateless = {
    stream: graph.stream.bind(graph),
    getState: async () => ({ values: {}, tasks: [], config: {} }),
    updateState: async () => undefined,
  };
  await runTurn(stateless, { kind: "message", content: text, messageId }, run, {
    onDelta: nothing,
    onForeignInterrupt: nothing,
  });
}

answerParent({
  send({ threads, text }: { threads: string[]; text: string }) {
    for (const id of threads)
      void runThread(id as ThreadId, text).catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
  },
  waiting: () => waiting.length,
  /** Approves the oldest call of a thread; `at` is when the parent said so. */
  decide({ threadId, at }: { threadId: string; at: number }) {
    const next = waiting.findIndex((call) => call.threadId === threadId);
    if (next === -1) return false;
    waiting.splice(next, 1)[0]!.decide(at);
    return true;
  },
  startDelays: () => startDelays.splice(0),
});
