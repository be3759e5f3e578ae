/** The composition root: lock, stores, engine, recovery, handlers; the only place where the domains meet. */
import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { HostInfo } from "../../shared/contract/console.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type Handlers, serveContract } from "../../shared/wire/serve-contract.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import type { ApprovalRow } from "../approvals/approval-store.ts";
import { openWorkspace } from "../files/open-workspace.ts";
import { endOrphan, findOrphans } from "../shell/orphans.ts";
import { forkWithNode } from "../shell/shell-host-process.ts";
import { lockDataDir } from "../storage/data-dir-lock.ts";
import { createDataInspector, type DataInspector } from "../storage/data-inspector.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { createTokenUseStore } from "../threads/token-use.ts";
import { toApproval } from "./approval-view.ts";
import { reportAttention } from "./attention-feed.ts";
import { createAutoApproveDesk } from "./auto-approve-desk.ts";
import { type Changes, createChanges } from "./changes.ts";
import type { ConsoleSource } from "./console-feed.ts";
import { checkLater, defaultCheckAfterMs, watchCheck } from "./data-check.ts";
import { createEngine, type Engine } from "./engine.ts";
import { nameStorageErrors } from "./explain-error.ts";
import { createAgentHandlers } from "./handlers/agents.ts";
import { createApprovalHandlers } from "./handlers/approvals.ts";
import { createConsoleHandlers } from "./handlers/console.ts";
import { createCostHandlers } from "./handlers/costs.ts";
import { createExecutionHandlers } from "./handlers/executions.ts";
import { createModelHandlers } from "./handlers/models.ts";
import { createThreadHandlers } from "./handlers/threads.ts";
import { createWorkspaceHandlers, translate } from "./handlers/workspaces.ts";
import type { Host, HostOptions } from "./host.ts";
import { createLiveText } from "./live-text.ts";
import { type HostLog, openLog } from "./log-file.ts";
import { recover } from "./recover.ts";
import { openStores, type Stores } from "./stores.ts";
import { createThreadDesk } from "./thread-desk.ts";
import { createThreadTransfer } from "./thread-transfer.ts";
import { createToolbox, type Toolbox } from "./toolbox.ts";

/**
 * Opens the data directory and answers when the queue in it is true.
 * @throws DataDirInUseError, StorageError
 */
export async function createHost(options: HostOptions): Promise<Host> {
  // Tracing would send what agents read to a server; whoever set it for another program did not mean this one.
  process.env.LANGSMITH_TRACING = "false";
  process.env.LANGCHAIN_TRACING_V2 = "false";
  const lock = lockDataDir(options.dataDir);
  const closings: Closing[] = [() => lock.release()];
  try {
    const hostLog = openLog(options.dataDir);
    closings.push(hostLog.close);
    return await assemble(options, hostLog, closings);
  } catch (error) {
    await closeAll(closings);
    throw error;
  }
}

/** Closes one thing that was opened. */
type Closing = () => unknown;

/** What was opened last is closed first, and nothing twice. */
async function closeAll(closings: Closing[]): Promise<void> {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
}

/** @param closings gets what has to be closed, by the host or by whoever sees this fail, as soon as it is open. */
async function assemble(options: HostOptions, hostLog: HostLog, closings: Closing[]): Promise<Host> {
  const now = options.now ?? Date.now;
  const changes = createChanges((error) => void hostLog.error(error));
  const stores = await openStores(options, changes, now);
  closings.push(stores.close);
  const toolbox = createToolbox({ dataDir: options.dataDir, version: options.version, stores });
  closings.push(toolbox.close);
  const engine = createEngine({
    dataDir: options.dataDir,
    now,
    stores,
    changes,
    toolbox,
    agentOf: (thread) => toolbox.agentOf(thread.agentId),
    unattended: options.unattended,
    forkShellHost: options.forkShellHost,
    logError: hostLog.error,
  });
  const inspector = createDataInspector(options.dataDir, now, options.forkShellHost ?? forkWithNode);
  closings.push(() => Promise.all([engine.close(), inspector.close()]));
  const workspace = options.workspace === undefined ? undefined : await openFolder(stores, options.workspace);
  const info = describeHost({ ...options, workspace }, [...stores.warnings, ...toolbox.problems()]);
  await endOrphans(stores, info);
  const goOn = recover({
    store: stores.threads,
    ...stores,
    fileRecovery: (execution) => void engine.desk.fileRecovery(execution),
  });
  const handlers = createHandlers({ options, info, stores, changes, engine, toolbox, inspector, now });
  // What listens or waits until the host closes.
  const ends: (() => void)[] = [];
  const wires = new Set<Transport>();
  if (!options.unattended) {
    for (const threadId of goOn) engine.actors.resume(threadId);
    for (const threadId of stores.threads.threadsWithQueued()) engine.actors.poke(threadId);
    const onDamage = (advice: string) => {
      info.warnings.push(advice);
      changes.tell({ kind: "host" });
    };
    const afterMs = options.checkDataAfterMs ?? defaultCheckAfterMs;
    ends.push(checkLater(inspector, options.dataDir, afterMs, { onDamage, onError: hostLog.error }));
  }

  return {
    info,
    connect(transport) {
      wires.add(transport);
      transport.onClose(() => wires.delete(transport));
      serveContract(transport, nameStorageErrors(handlers), {
        clientId: randomUUID(),
        onInternalError: hostLog.error,
        checkItems: false,
      });
    },
    onAttention(listener) {
      const titleOf = (row: { threadId: ThreadId }) => stores.threads.find(row.threadId)?.title ?? "";
      ends.push(
        reportAttention(changes, () => stores.approvals.pending(), titleOf, stores.settings.get, listener),
      );
    },
    async close() {
      for (const end of ends) end();
      for (const wire of wires) wire.close("The app is closing.");
      await closeAll(closings);
    },
  };
}

type HandlerParts = {
  options: HostOptions;
  info: HostInfo;
  stores: Stores;
  changes: Changes;
  engine: Engine;
  toolbox: Toolbox;
  inspector: DataInspector;
  now: () => number;
};

function createHandlers({
  options,
  info,
  stores,
  changes,
  engine,
  toolbox,
  inspector,
  now,
}: HandlerParts): Handlers {
  const { threads, log, approvals } = stores;
  const summary = (row: ThreadRow) => summarize(row, stores, engine);
  const live = createLiveText();
  changes.listen(live.hear);
  const source: ConsoleSource = {
    changes,
    info: () => info,
    settings: stores.settings.get,
    threads: () => summarizeAll(stores, engine),
    thread(id) {
      const row = threads.find(id);
      return row && summary(row);
    },
    pendingApprovals: () => approvals.pending().flatMap((row) => viewApproval(row) ?? []),
    approval: (id) => viewApproval(approvals.get(id)),
  };
  function viewApproval(row: ApprovalRow | undefined) {
    const thread = row && threads.find(row.threadId);
    return row && thread && toApproval(row, thread);
  }
  const open = (path: string) => openFolder(stores, path);
  const desk = createThreadDesk({
    store: threads,
    log,
    approvals,
    actors: engine.actors,
    autoApprove: engine.autoApprove,
    decisions: engine.decisions,
    once: stores.once,
    summary,
    openWorkspace: open,
    defaultModel: stores.models.defaultModel,
    defaultAgent: toolbox.defaultAgentId,
    modelOfAgent: (agentId) => toolbox.agentOf(agentId).model,
    async hasCheckpoint(threadId, checkpointId) {
      if (checkpointId === null) return true;
      const configurable = { thread_id: threadId, checkpoint_ns: "", checkpoint_id: checkpointId };
      return (await (await stores.checkpointer()).getTuple({ configurable })) !== undefined;
    },
    async forkCheckpoints(from, to, checkpointId) {
      const saver = await stores.checkpointer();
      // The same command again, after an answer that got lost: the copy is there.
      if (checkpointId !== null && saver.threadBytes(to) === 0) saver.copyThread(from, to, checkpointId);
    },
    removeData: (threadId) => removeThreadData(threadId, options.dataDir, stores),
  });
  const transfer = createThreadTransfer({
    ...stores,
    store: threads,
    dataDir: options.dataDir,
    now,
    openWorkspace: open,
    isRunning: engine.actors.isRunning,
    summary,
  });
  return {
    ...createConsoleHandlers({
      source,
      updateSettings: stores.settings.update,
      keys: stores.keys,
      backup: () => inspector.backUp("on-demand"),
      checkData: (signal) => watchCheck(inspector, options.dataDir, signal),
      openLink: options.openLink,
    }),
    ...createThreadHandlers({
      store: threads,
      log,
      actors: engine.actors,
      autoApprove: engine.autoApprove,
      autoApproveDesk: createAutoApproveDesk({ ...engine, store: threads, approvals }),
      source: { changes, log, live },
      desk,
      transfer,
    }),
    ...createApprovalHandlers({
      ...stores,
      dataDir: options.dataDir,
      now,
      decisions: engine.decisions,
      diffOf: engine.diffOf,
    }),
    ...createExecutionHandlers(engine.shell, engine.desk.isUnderway),
    ...createWorkspaceHandlers({
      home: homedir(),
      store: threads,
      workspaces: stores.workspaces,
      tracker: stores.tracker,
      pickFolder: options.pickFolder,
      openWorkspace: open,
    }),
    ...createModelHandlers(stores.models, stores.keys),
    ...createCostHandlers({
      store: threads,
      tokenUse: createTokenUseStore(stores.database),
      models: stores.models,
    }),
    ...createAgentHandlers(toolbox),
  };
}

function describeHost(options: HostOptions, warnings: string[]): HostInfo {
  return {
    version: options.version,
    mode: options.mode,
    platform: process.platform,
    dataDir: options.dataDir,
    home: homedir(),
    workspace: options.workspace ?? null,
    hasFolderDialog: options.pickFolder !== undefined,
    warnings,
  };
}

async function openFolder(stores: Stores, path: string): Promise<string> {
  const { path: real } = await translate("workspace", () => openWorkspace(path));
  stores.workspaces.touch(real);
  return real;
}

/** Commands of a host that died are ended before anything new starts; one that cannot be is named. */
async function endOrphans(stores: Stores, info: HostInfo): Promise<void> {
  // A command may have begun before its process was noted; its marker alone finds it then.
  const started = stores.executions.started().map(({ id, pid, processStarted }) => ({
    executionId: id,
    pid: pid ?? 0,
    startTime: processStarted ?? "",
  }));
  if (started.length === 0) return;
  for (const orphan of await findOrphans(started)) {
    for (const survivor of await endOrphan(orphan))
      info.warnings.push(
        `A command from before is still running and could not be ended: process ${survivor.pid}.`,
      );
  }
}

function summarize(row: ThreadRow, stores: Stores, engine: Engine): ThreadSummary {
  return toSummary(row, stores.approvals.pendingCount(row.id), stores.threads.queued(row.id).length, engine);
}

function summarizeAll(stores: Stores, engine: Engine): ThreadSummary[] {
  const waiting = stores.approvals.pendingCounts();
  const mailbox = stores.threads.queuedCounts();
  return stores.threads
    .list()
    .map((row) => toSummary(row, waiting.get(row.id) ?? 0, mailbox.get(row.id) ?? 0, engine));
}

function toSummary(row: ThreadRow, waiting: number, mailbox: number, engine: Engine): ThreadSummary {
  const { titled: _titled, ...shown } = row;
  const inLine = row.status === "running" && engine.slots.waiting().has(row.id);
  const status = row.status === "running" && waiting > 0 ? "waiting" : inLine ? "queued" : row.status;
  return { ...shown, status, waiting, mailbox, autoApprove: engine.autoApprove.state(row.id) };
}

async function removeThreadData(threadId: ThreadId, dataDir: string, stores: Stores): Promise<void> {
  await (await stores.checkpointer()).deleteThread(threadId);
  await stores.tracker.forget(threadId);
  for (const { logPath } of stores.executions.ofThread(threadId))
    if (logPath && existsSync(logPath)) rmSync(logPath, { force: true });
  for (const folder of ["results", "history"])
    rmSync(join(dataDir, folder, threadId), { recursive: true, force: true });
  stores.executions.removeThread(threadId);
  stores.approvals.removeThread(threadId);
  stores.database.prepare("DELETE FROM tool_calls WHERE thread_id = ?").run(threadId);
}
