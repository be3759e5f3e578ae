/** The composition root: puts lock, stores, engine, recovery and handlers together, and ends them. */
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { titleOfShell } from "../../shared/command-shell.ts";
import type { HostInfo } from "../../shared/contract/console.ts";
import { haltedStatuses, isHalted } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { serveContract } from "../../shared/wire/serve-contract.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { createDeepAgent } from "../agents/deep-agent/deep-agent.ts";
import { switchTracingOff } from "../agents/deep-agent/tracing.ts";
import { createToolbox } from "../agents/toolbox.ts";
import { type HostLog, openLog } from "../base/log-file.ts";
import { reportAttention } from "../console/attention-feed.ts";
import { createHandlers } from "../console/create-handlers.ts";
import { checkLater, defaultCheckAfterMs } from "../console/data-check.ts";
import { reportState, serveLauncher } from "../console/for-launcher.ts";
import { translate } from "../console/handlers/workspaces.ts";
import { createEngine } from "../engine/engine.ts";
import { nameStorageErrors } from "../engine/explain-error.ts";
import { recover } from "../engine/recover.ts";
import { openStores, type Stores } from "../engine/stores.ts";
import { openWorkspace } from "../files/open-workspace.ts";
import { fileRecovery } from "../gate/ask.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { askVersion, findCommandShell } from "../shell/find-command-shell.ts";
import { describeMissingTools, settleLanguage } from "../shell/mac-start.ts";
import { endOrphan, findOrphans } from "../shell/orphans.ts";
import { forkWithNode } from "../shell/shell-host-process.ts";
import { type DataDirLock, lockDataDir } from "../storage/data-dir-lock.ts";
import { createDataInspector } from "../storage/data-inspector.ts";
import { explainUnusable } from "../storage/storage-error.ts";
import { createChanges } from "../threads/changes.ts";
import { builtInSource } from "../threads/thread-store.ts";
import { plainPath, settleCommandPath } from "./command-path.ts";
import type { Host, HostOptions } from "./host.ts";

/**
 * Opens the data directory and answers when the queue in it is true.
 * @throws DataDirInUseError, StorageError
 */
export async function createHost(options: HostOptions): Promise<Host> {
  switchTracingOff(process.env);
  const { makePrivate } = options;
  const lock = lockDataDir(options.dataDir, makePrivate && { makePrivate });
  const closings: Closing[] = [() => lock.release()];
  try {
    const hostLog = openLog(options.dataDir);
    closings.push(hostLog.close);
    if (lock.openToOthers) hostLog.error(lock.openToOthers);
    return await assemble(options, lock, hostLog, closings);
  } catch (error) {
    await closeAll(closings);
    throw explainUnusable(error, options.dataDir);
  }
}

/** Closes one thing that was opened. */
type Closing = () => unknown;

/** What was opened last is closed first, and nothing twice. */
async function closeAll(closings: Closing[]): Promise<void> {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
}

/** @param closings gets what has to be closed, by the host or by whoever sees this fail, as soon as it is open. */
async function assemble(
  options: HostOptions,
  { openToOthers }: DataDirLock,
  hostLog: HostLog,
  closings: Closing[],
): Promise<Host> {
  const now = options.now ?? Date.now;
  const changes = createChanges((error) => void hostLog.error(error));
  const commandShell = options.commandShell ?? findCommandShell(process.platform, process.env);
  const stores = await openStores(options, commandShell.kind, changes, now);
  closings.push(stores.close);
  const commandPath = plainPath(process.env);
  const foundPath = settleCommandPath(options.loginPath, process.env, (found) => {
    Object.assign(commandPath, found);
    changes.tell({ kind: "host" });
  });
  const pathKnown = Promise.all([foundPath, settleLanguage(process.env)]).then(() => undefined);
  const shownShell = { kind: commandShell.kind, title: titleOfShell(commandShell) };
  // A console that only shows the queue starts no program for this.
  let shellKnown: Promise<string> | undefined;
  const shellTitle = () => {
    shellKnown ??= askVersion(commandShell).then((known) => {
      shownShell.title = titleOfShell(known);
      changes.tell({ kind: "host" });
      return shownShell.title;
    });
    return shellKnown;
  };
  const sandbox = createSandbox({
    mode: () => options.sandbox?.mode ?? stores.settings.get().sandbox,
    onKnown() {
      info.sandbox = sandbox.state();
      changes.tell({ kind: "host" });
    },
    ...options.sandbox?.parts,
  });
  const toolbox = createToolbox({ dataDir: options.dataDir, version: options.version, stores, pathKnown });
  closings.push(toolbox.close);
  const engine = createEngine({
    dataDir: options.dataDir,
    now,
    stores,
    changes,
    createSources: (services) => {
      const deepAgent = createDeepAgent(
        {
          ...stores,
          dataDir: options.dataDir,
          settings: stores.settings.get,
          agentOf: (thread) => toolbox.agentOf(thread.agentId),
          toolsOf: toolbox.toolsOf,
          contextOf: toolbox.contextOf,
          shellTitle,
          mayConfine: () => sandbox.mode() !== "off" && sandbox.state().state === "usable",
        },
        services,
      );
      return new Map([[builtInSource, deepAgent]]);
    },
    classOfTool: toolbox.servers.classOf,
    unattended: options.unattended,
    commandShell,
    sandbox,
    forkShellHost: options.forkShellHost,
    pathKnown,
    logError: hostLog.error,
  });
  const inspector = createDataInspector(options.dataDir, now, options.forkShellHost ?? forkWithNode);
  closings.push(() => Promise.all([engine.close(), inspector.close()]));
  const workspace = options.workspace === undefined ? undefined : await openFolder(stores, options.workspace);
  const missing = await describeMissingTools();
  const warnings = [openToOthers?.message, ...stores.warnings, ...toolbox.problems(), missing].filter(
    (each) => each !== undefined,
  );
  const info: HostInfo = {
    ...describeHost({ ...options, workspace }, warnings),
    commandPath,
    commandShell: shownShell,
    sandbox: sandbox.state(),
  };
  await endOrphans(stores, info);
  const goOn = recover({
    ...stores,
    sources: engine.sources,
    fileRecovery: (execution) => void fileRecovery(engine.journal, execution),
  });
  await engine.decisions.refreshAll("recovery");
  const openWorkspace = (path: string) => openFolder(stores, path);
  const handlers = createHandlers({
    options,
    info,
    stores,
    changes,
    engine,
    toolbox,
    inspector,
    openWorkspace,
    now,
  });
  // What listens or waits until the host closes.
  const ends: (() => void)[] = [];
  const wires = new Set<Transport>();
  if (!options.unattended) {
    engine.decisions.keepGraces();
    for (const threadId of goOn) engine.actors.resume(threadId);
    for (const threadId of stores.threads.threadsWithQueued()) engine.actors.poke(threadId);
    const onDamage = (advice: string) => {
      info.warnings.push(advice);
      changes.tell({ kind: "host" });
    };
    const afterMs = options.checkDataAfterMs ?? defaultCheckAfterMs;
    if (sandbox.mode() !== "off") ends.push(tryLater(sandbox));
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
        reportAttention(
          changes,
          {
            pending: () => stores.approvals.pending(),
            halted: () => countHalted(stores.threads),
            titleOf,
            settings: stores.settings.get,
          },
          listener,
        ),
      );
    },
    onState: (listener) => void ends.push(reportState({ stores, engine, changes }, listener)),
    ...serveLauncher({ info, stores, engine, changes, log: hostLog, openWorkspace }),
    async close() {
      for (const end of ends) end();
      for (const wire of wires) wire.close("The app is closing.");
      await closeAll(closings);
    },
  };
}

const trySandboxAfterMs = 3_000;

/** Asked at every burst of changes, so that only threads that may count are read. */
function countHalted({ threadsWithStatus, get }: Stores["threads"]): number {
  return threadsWithStatus(haltedStatuses).map(get).filter(isHalted).length;
}

/** Off the way of the start; a command that comes earlier tries it at once. */
function tryLater(sandbox: Sandbox): () => void {
  const timer = setTimeout(() => void sandbox.ready(), trySandboxAfterMs);
  timer.unref();
  return () => clearTimeout(timer);
}

function describeHost(
  options: HostOptions,
  warnings: string[],
): Omit<HostInfo, "commandPath" | "commandShell" | "sandbox"> {
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

const mayRun =
  "Commands that ran when the app ended last may have left something running. This system does not say what, so look for it yourself.";

/** Commands of a host that died are ended before anything new starts; one that cannot be, or known, is named. */
async function endOrphans(stores: Stores, info: HostInfo): Promise<void> {
  // A command may have begun before its process was noted; its marker alone finds it then.
  const started = stores.executions.started().map(({ id, pid, processStarted, logPath }) => ({
    executionId: id,
    pid: pid ?? 0,
    startTime: processStarted ?? "",
    logPath: logPath ?? undefined,
  }));
  if (started.length === 0) return;
  const { found, isKnown } = await findOrphans(started);
  let isAllKnown = isKnown;
  for (const orphan of found) {
    const { stillRunning, mayRunMore } = await endOrphan(orphan);
    isAllKnown &&= !mayRunMore;
    for (const { pid, name } of stillRunning)
      info.warnings.push(
        `A command from before is still running and could not be ended: process ${pid} (${name}).`,
      );
  }
  if (!isAllKnown) info.warnings.push(mayRun);
}
