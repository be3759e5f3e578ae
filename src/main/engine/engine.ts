/** The engine: from a sent message to its effects, through the gate, the queue and the actors. */
import { join } from "node:path";
import type { CommandShell } from "../../shared/command-shell.ts";
import type { Agent } from "../../shared/contract/agents.ts";
import type { FileDiff } from "../../shared/contract/approvals.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { createBackend } from "../agents/deep-agent/backends.ts";
import { createGraphs } from "../agents/deep-agent/graphs.ts";
import { createModelSlots, type ModelSlots } from "../agents/model-slots.ts";
import { createRuns } from "../agents/runs.ts";
import type { Toolbox } from "../agents/toolbox.ts";
import type { ApprovalRow } from "../approvals/approval-store.ts";
import { toApproval } from "../approvals/approval-view.ts";
import { type AutoApproveSwitch, createAutoApproveSwitch } from "../approvals/auto-approve.ts";
import { createDecisions, type Decisions } from "../approvals/decisions.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { createWaitingRoom } from "../approvals/waiting-room.ts";
import { passBarrier } from "../base/barriers.ts";
import { createCommandWatch } from "../files/command-watch.ts";
import { createWorkspaceFiles, type WorkspaceFiles } from "../files/workspace-files.ts";
import { createDrawings } from "../gate/drawings.ts";
import { toForeignAnswers, toForeignQuestions } from "../gate/foreign-interrupts.ts";
import type { Journal } from "../gate/journal.ts";
import { createJudge, type Unattended } from "../gate/judge.ts";
import { createUnaskedOutput } from "../gate/unasked-output.ts";
import { createShell } from "../shell/remote-shell.ts";
import type { Shell } from "../shell/shell.ts";
import type { ForkShellHost } from "../shell/shell-host-process.ts";
import type { Changes } from "../threads/changes.ts";
import { createThreadActors, type ThreadActors } from "../threads/thread-actors.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { planToolChange } from "../tools/kinds/change.ts";
import { createToolPolicy } from "../tools/tool-policy.ts";
import { createCommandsUnderway } from "./commands-underway.ts";
import { explainRunError } from "./explain-error.ts";
import type { Stores } from "./stores.ts";

export type EngineParts = {
  dataDir: string;
  now: () => number;
  stores: Stores;
  changes: Changes;
  toolbox: Toolbox;
  agentOf(thread: Pick<ThreadRow, "agentId">): Agent;
  unattended?: Unattended;
  /** What reads the commands: policy, rules, prompt and terminal hold this one value. */
  commandShell: CommandShell;
  /** The same with its version, for people and models. */
  shellTitle(): Promise<string>;
  forkShellHost?: ForkShellHost;
  /** Resolves once this process has the PATH that commands are to be found in; none is started before. */
  pathKnown: Promise<void>;
  logError(error: unknown): string;
};

export type Engine = {
  actors: ThreadActors;
  decisions: Decisions;
  autoApprove: AutoApproveSwitch;
  journal: Journal;
  slots: ModelSlots;
  shell: Shell;
  filesOf(workspace: string): WorkspaceFiles;
  diffOf(row: ApprovalRow): Promise<FileDiff | undefined>;
  close(): Promise<void>;
};

export function createEngine(parts: EngineParts): Engine {
  const { stores, changes, now, dataDir } = parts;
  const { threads, log, approvals, executions } = stores;
  const room = createWaitingRoom();
  const files = new Map<string, WorkspaceFiles>();
  const filesOf = (workspace: string) => {
    const known = files.get(workspace) ?? createWorkspaceFiles(workspace);
    files.set(workspace, known);
    return known;
  };
  const { commandShell } = parts;
  const shell = createShell({
    commandShell,
    logDir: join(dataDir, "command-logs"),
    fork: parts.forkShellHost,
    ready: parts.pathKnown,
    assertPermit({ executionId }) {
      if (!executions.isStarted(executionId as ExecutionRow["id"]))
        throw new Error("no execution row is started");
    },
  });
  const tellThread = (threadId: ThreadId) => changes.tell({ kind: "thread", threadId });
  const slots = createModelSlots(() => stores.settings.get().maxActiveRuns, tellThread);
  changes.listen((change) => change.kind === "settings" && slots.limitChanged());
  const autoApprove = createAutoApproveSwitch(
    now,
    tellThread,
    ({ threadId, why, used, items, approvals: passed }) => {
      const text = `Auto-approve is off: ${why}. It let ${used === 1 ? "1 action" : `${used} actions`} pass for you.`;
      if (threads.find(threadId))
        log.append(threadId, [
          {
            type: "notice.added",
            itemId: `receipt:${threadId}:${now()}`,
            level: "info",
            text,
            approvals: passed,
            items,
          },
        ]);
    },
  );
  const policy = createToolPolicy({
    dataDir,
    shell: commandShell.kind,
    rulesFor: (thread) => stores.rules.inForce(thread),
    isTrusted: stores.workspaces.isTrusted,
    classOfTool: (tool) => parts.toolbox.servers.classOf(tool),
    filesOf,
  });
  const drawings = createDrawings(policy, threads, stores.routes);
  const judge = createJudge(policy, commandShell.kind, autoApprove, parts.unattended);
  const commandWatch = createCommandWatch(stores.tracker, dataDir, parts.logError);
  const look = async (workspace: string) => commandWatch.lookAhead(filesOf(workspace).root);
  const lookAhead = (workspace: string) => void look(workspace).catch(parts.logError);
  const journal: Journal = {
    ...stores,
    now,
    room,
    autoApprove,
    judge,
    drawings,
    underway: new Set(),
    lookAhead,
  };
  const deliverable = (threadId: ThreadId, unconsumed: ApprovalRow[]) => {
    const decided = unconsumed.filter((row) => (row.effectiveAt ?? 0) <= now());
    if (!decided.some(({ kind }) => kind === "batch")) return decided;
    const asked = new Set(approvals.pending(threadId).map((row) => row.interruptId));
    // A batch is answered as a whole: while one of its actions waits, the decided ones do too.
    return decided.filter((row) => row.kind !== "batch" || !asked.has(row.interruptId));
  };
  const planOf = (row: ApprovalRow) =>
    planToolChange(filesOf(threads.get(row.threadId).workspace), row, row.verdict).catch(() => undefined);
  const commands = createCommandsUnderway();
  const unaskedOutput = createUnaskedOutput();
  const graphs = createGraphs({
    dataDir,
    settings: stores.settings.get,
    agentOf: parts.agentOf,
    models: stores.models,
    keys: stores.keys,
    slots,
    journal,
    backendOf(workspace) {
      // The first look at a folder takes longest; by the time the agent runs a command it was taken.
      lookAhead(workspace);
      return createBackend(
        {
          filesOf,
          tracker: stores.tracker,
          shell,
          executions,
          unaskedOutput,
          commandTimeoutMs: () => stores.settings.get().commandTimeoutMs,
          whileUnderway: commands.during,
          watchChanges: (threadId, act) => commandWatch.around(threadId, filesOf(workspace).root, act),
        },
        workspace,
      );
    },
    checkpointer: stores.checkpointer,
    toolsOf: (agent, thread) => parts.toolbox.toolsOf(agent, thread),
    shellTitle: parts.shellTitle,
    contextOf: (workspace) => parts.toolbox.contextOf(workspace),
  });
  const runs = createRuns({
    graphOf: graphs,
    record: (threadId, events) => void log.append(threadId, events),
    onDelta(threadId, delta) {
      changes.tell({ kind: "delta", threadId, delta });
      passBarrier("mid-stream");
    },
    onForeignInterrupt(threadId, turn, interrupt) {
      const known = approvals.ofInterrupt(threadId, interrupt.id);
      const filedByGate = known.some((row) => row.callKey.endsWith("#interrupt"));
      if (filedByGate || known.some((row) => row.status === "pending") || isParked(interrupt.value)) return;
      for (const question of toForeignQuestions(
        { threadId, turnId: turn.id, cwd: threads.get(threadId).workspace },
        interrupt,
      ))
        approvals.ask(question);
    },
    foreignAnswers: (threadId, waiting) => toForeignAnswers(approvals, threadId, waiting, now()),
    hasInterruptAnswers: (threadId) =>
      deliverable(threadId, approvals.unconsumedAnswers(threadId)).length > 0,
    park: (threadId) => void room.park(threadId),
    noteCheckpoint: (turn, checkpointId) => threads.setTurnCheckpoint(turn.id, checkpointId),
    explainError: (error) => explainRunError(error, parts.logError),
  });
  stores.onSaveFailed((threadId, error) => runs.fail(threadId, error));
  const actors = createThreadActors({
    store: threads,
    explainError: (error) => explainRunError(error, parts.logError),
    async run(thread, turn, how, signal) {
      const end = await runs.run(thread, turn, how, signal);
      await commands.ended(thread.id, signal);
      return end;
    },
    newAnswers: (threadId) =>
      deliverable(threadId, approvals.unconsumed(threadId))
        .map((row) => row.id)
        .join(),
    onTurnBegan: (turn) => {
      const item = log.item(turn.threadId, turn.messageId);
      if (item?.kind === "userMessage" && item.queued)
        log.append(turn.threadId, [{ type: "message.dequeued", itemId: turn.messageId, cancelled: false }]);
    },
    onTurnEnded(turn, end) {
      approvals.voidUnconsumed(turn.threadId);
      decisions.cancelPending(
        turn.threadId,
        end.kind === "stopped" ? "the turn was stopped" : "the turn ended",
      );
      const problem = "problem" in end ? end.problem : undefined;
      const retryable = end.kind === "failed" ? end.retryable : undefined;
      if (threads.find(turn.threadId))
        log.append(turn.threadId, [
          {
            type: "turn.finished",
            itemId: `end:${turn.id}:${log.lastSeq(turn.threadId)}`,
            turnId: turn.id,
            outcome: end.kind,
            problem,
            retryable,
          },
        ]);
    },
    onInternalError: (error) => void parts.logError(error),
  });
  const decisions = createDecisions({
    database: stores.database,
    commit: stores.commit,
    once: stores.once,
    now,
    approvals,
    log,
    room,
    view: (row) => toApproval(row, threads.get(row.threadId)),
    draw: drawings.of,
    goOn(threadId) {
      if (actors.isRunning(threadId)) runs.considerParking(threadId);
      // A person may have stopped the turn while the grace lasted; then nothing wakes it.
      else if (threads.currentTurn(threadId)) actors.resume(threadId);
    },
  });

  return {
    actors,
    decisions,
    autoApprove,
    journal,
    slots,
    shell,
    filesOf,
    async diffOf(row) {
      const isChange = row.subject.kind === "file" && row.subject.operation !== "read" && row.kind === "tool";
      if (!isChange && !(row.subject.kind === "recovery" && row.subject.change)) return undefined;
      const plan = await planOf(row);
      return (
        plan && {
          path: plan.relativePath,
          before: plan.before,
          after: plan.after,
          tooLarge: plan.tooLarge || plan.binary,
        }
      );
    },
    async close() {
      decisions.close();
      autoApprove.close();
      await actors.close();
      await commandWatch.close();
      await shell.disposeAll();
    },
  };
}

/** The gate's own way to end a run; nobody is asked about it. */
function isParked(value: unknown): boolean {
  return typeof value === "object" && value !== null && "parked" in value;
}
