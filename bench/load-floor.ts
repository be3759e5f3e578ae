/** The floor of the load: the same agents, gate, policy and shell, but no checkpointer, no journal and no window. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { defaultAgent } from "../src/main/agent-files/default-agent.ts";
import { createBackend } from "../src/main/agents/deep-agent/backends.ts";
import { buildAgent } from "../src/main/agents/deep-agent/build-agent.ts";
import { runTurn } from "../src/main/agents/deep-agent/run-turn.ts";
import { askHuman } from "../src/main/agents/deep-agent/tools/ask-human.ts";
import { createModelSlots } from "../src/main/agents/model-slots.ts";
import { createAutoApproveSwitch } from "../src/main/approvals/auto-approve.ts";
import type { ExecutionStore } from "../src/main/approvals/execution-store.ts";
import { openChangeFile } from "../src/main/files/change-store.ts";
import { createChangeTracker } from "../src/main/files/change-tracker.ts";
import { createCommandWatch } from "../src/main/files/command-watch.ts";
import { createOriginalBlobs } from "../src/main/files/original-blobs.ts";
import { createWorkspaceFiles } from "../src/main/files/workspace-files.ts";
import type { Answer, Decided, GatePorts } from "../src/main/gate/gate-ports.ts";
import { createJudge } from "../src/main/gate/judge.ts";
import type { RunContext } from "../src/main/gate/run-context.ts";
import { createUnaskedOutput } from "../src/main/gate/unasked-output.ts";
import { createChatModel } from "../src/main/models/create-chat-model.ts";
import { createShell } from "../src/main/shell/remote-shell.ts";
import type { ThreadRow } from "../src/main/threads/thread-store.ts";
import { createToolPolicy } from "../src/main/tools/tool-policy.ts";
import type { ApprovalId, ExecutionId, MessageId, ThreadId, TurnId } from "../src/shared/ids.ts";
import { forkBuilt } from "./fork-built.ts";
import { maxActiveRuns, readBegin } from "./load-plan.ts";
import { answerParent } from "./load-probe.ts";

const [folder, workspace] = process.argv.slice(2) as [string, string];
const demo = { provider: "demo" as const, model: "demo" };
const nothing = () => undefined;
const files = createWorkspaceFiles(workspace);
const shell = createShell({ logDir: join(folder, "command-logs"), assertPermit: nothing, fork: forkBuilt });
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
const judge = createJudge(policy, "bash", createAutoApproveSwitch(Date.now, nothing, nothing));

/** Calls that wait, by thread, oldest first. */
const waiting = new Map<ThreadId, ((at: number) => void)[]>();
const approved: Omit<Decided, "args"> = {
  approvalId: "approval" as ApprovalId,
  decision: { type: "approve" },
  by: { kind: "person" },
  verdict: { verdict: "new", units: [] },
  baseHash: undefined,
};
const nothingShown = {
  baseHash: undefined,
  mayLeaveWorkspace: false,
  mayReachOwnNetwork: false,
  shownPath: undefined,
  toolDigest: undefined,
};
const decidedAt = new Map<string, number>();
const startDelays: number[] = [];

const ports: GatePorts = {
  isUnwritable: () => false,
  record: nothing,
  hasItem: () => false,
  routeOf: (call) => judge.route(call, threadOf(call.threadId)),
  judgeAgain: (call, args) => judge.again(call, args, threadOf(call.threadId)),
  decidedOf: nothing,
  ask(call) {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const queue = waiting.get(call.threadId) ?? [];
    waiting.set(call.threadId, queue);
    queue.push((at) => {
      decidedAt.set(call.key, at);
      resolve({ ...approved, args: call.args });
    });
    return promise;
  },
  askRecovery: async () => "parked",
  argsOf: () => ({}),
  earlierExecution: nothing,
  async startExecution(_call, route, { args }) {
    const mayChangeFiles = route.verdict.verdict !== "safe";
    if (mayChangeFiles) void commandWatch.lookAhead(workspace);
    return { executionId: `exec-${randomUUID()}` as ExecutionId, args, ...nothingShown, mayChangeFiles };
  },
  finishExecution(call, _executionId, { result }) {
    const decided = decidedAt.get(call.key);
    const began = readBegin(result);
    if (decided !== undefined && began !== undefined) startDelays.push(began - decided);
  },
  suspendExecution: nothing,
  continueExecution: (call, executionId) => ({
    executionId,
    args: call.args,
    ...nothingShown,
    mayChangeFiles: true,
  }),
  dropExecution: nothing,
  closeExecution: nothing,
  finishCall: nothing,
  settle: nothing,
  answersOf: () => [],
  askInterrupt: nothing,
  planChanged: nothing,
};

function threadOf(id: ThreadId): ThreadRow {
  return {
    id,
    title: id,
    titled: true,
    workspace,
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

/** One for all threads, as the host shares it too. */
const graph = await buildAgent({
  surroundings: { platform: process.platform, shell: "bash" },
  agent: defaultAgent,
  model: demo,
  chatModel: (ref) => createChatModel(ref, { apiKeyFor: nothing }),
  tools: [askHuman as unknown as StructuredTool],
  backend: await createBackend(
    {
      filesOf: () => files,
      tracker,
      shell,
      executions: { noteProcess: nothing } as Partial<ExecutionStore> as ExecutionStore,
      unaskedOutput: createUnaskedOutput(),
      commandTimeoutMs: () => 600_000,
      whileUnderway: (_threadId, act) => act(),
      watchChanges: (threadId, act) => commandWatch.around(threadId, workspace, act),
    },
    workspace,
  ),
  overflowOf: () => ({ results: join(folder, "results"), history: join(folder, "history") }),
  workspace,
  memory: { files: [], skills: [] },
  checkpointer: undefined as unknown as BaseCheckpointSaver,
  modelCallLimit: 10_000,
  slots,
  ports,
});

/** Runs one turn, as the host does, without a checkpoint to begin from. */
async function runThread(id: ThreadId, text: string): Promise<void> {
  const run: RunContext = {
    threadId: id,
    turnId: "turn" as TurnId,
    workspace,
    signal: new AbortController().signal,
    subAgents: new Map(),
    busy: 0,
    onQuiet: nothing,
    finishedMessages: new Set(),
    refusals: new Map(),
  };
  const messageId = `${id}-message` as MessageId;
  const stateless = {
    stream: graph.stream.bind(graph),
    getState: async () => ({ values: {}, tasks: [], config: {} }),
  };
  const end = await runTurn(stateless, { kind: "message", content: text, messageId }, run, {
    onDelta: nothing,
    record: nothing,
    onForeignInterrupt: nothing,
  });
  if (end.kind === "failed") throw end.error;
}

answerParent({
  send({ threads, text }: { threads: string[]; text: string }) {
    for (const id of threads)
      void runThread(id as ThreadId, text).catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
  },
  waiting: () => [...waiting.values()].reduce((sum, queue) => sum + queue.length, 0),
  /** Approves the oldest call of a thread; `at` is when the parent said so. */
  decide({ threadId, at }: { threadId: string; at: number }) {
    const next = waiting.get(threadId as ThreadId)?.shift();
    next?.(at);
    return next !== undefined;
  },
  startDelays: () => startDelays.splice(0),
});
