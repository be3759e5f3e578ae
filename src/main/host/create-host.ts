/** The composition root: puts lock, stores, engine, recovery and handlers together, and ends them. */
import { homedir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { HostInfo, Settings } from "../../shared/contract/console.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { KeptSessions } from "../agents/acp/kept-session.ts";
import { createAgentSources } from "../agents/agent-sources.ts";
import { switchTracingOff } from "../agents/deep-agent/tracing.ts";
import { createTerminalDesk } from "../agents/terminal/terminal-desk.ts";
import { createToolbox, type Toolbox } from "../agents/toolbox.ts";
import { type HostLog, openLog } from "../base/log-file.ts";
import { createHandlers } from "../console/create-handlers.ts";
import { checkLater, defaultCheckAfterMs } from "../console/data-check.ts";
import { translate } from "../console/handlers/workspaces.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { endLeftCommands, endLeftUndo, recover } from "../engine/recover.ts";
import { openStores, type Stores } from "../engine/stores.ts";
import { openWorkspace } from "../files/open-workspace.ts";
import { fileRecovery } from "../gate/recover-call.ts";
import { hiddenBy } from "../sandbox/hidden-places.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { findCommandShell } from "../shell/find-command-shell.ts";
import { describeMissingTools, type LateFacts, learnFacts } from "../shell/late-facts.ts";
import { forkWithNode } from "../shell/shell-host-process.ts";
import { type DataDirLock, lockDataDir } from "../storage/data-dir-lock.ts";
import { createDataInspector } from "../storage/data-inspector.ts";
import { explainUnusable } from "../storage/storage-error.ts";
import { createChanges } from "../threads/changes.ts";
import { keepWithinBudget } from "../undo/originals-budget.ts";
import { type Closing, closeAll, type Host, type HostOptions, type Opened, openDoors } from "./host.ts";
import { createWarmUp } from "./warm-up.ts";

/**
 * Opens the data directory and answers when the queue in it is true.
 * @throws DataDirInUseError, StorageError
 */
export async function createHost(options: HostOptions): Promise<Host> {
  switchTracingOff(process.env);
  // Counts for threads that begin from now on. Each holds little at a time, and would keep some megabytes for more.
  setFlagsFromString("--max-semi-space-size=1");
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

/** @param closings gets what has to be closed, by the host or by whoever sees this fail, as soon as it is open. */
async function assemble(
  options: HostOptions,
  { openToOthers }: DataDirLock,
  hostLog: HostLog,
  closings: Closing[],
): Promise<Host> {
  const { dataDir, version, unattended } = options;
  const now = options.now ?? Date.now;
  const changes = createChanges((error) => void hostLog.error(error));
  const tellHost = () => changes.tell({ kind: "host" });
  const commandShell = options.commandShell ?? findCommandShell(process.platform, process.env);
  const stores = await openStores(options, commandShell.kind, changes, now);
  closings.push(stores.close);
  const facts = learnFacts(options.loginPath, commandShell, tellHost);
  const { pathKnown } = facts;
  const sandbox = openSandbox(options.sandbox, stores.settings.get, () => {
    info.sandbox = sandbox.state();
    tellHost();
  });
  const deepagentsFolder = options.deepagentsFolder ?? join(homedir(), ".deepagents");
  const toolbox = createToolbox({ dataDir, version, stores, pathKnown, deepagentsFolder });
  closings.push(toolbox.close);
  const own = { dataDir, stores, toolbox, sandbox, logError: hostLog.error };
  const sources = createAgentSources({ ...own, ...facts });
  const engine = createEngine({
    dataDir,
    now,
    stores,
    changes,
    createSources: sources.open,
    classOfTool: toolbox.servers.classOf,
    unattended,
    commandShell,
    sandbox,
    forkShellHost: options.forkShellHost,
    pathKnown,
    logError: hostLog.error,
  });
  const inspector = createDataInspector(dataDir, now, options.forkShellHost ?? forkWithNode);
  closings.push(() => Promise.all([engine.close(), inspector.close()]));
  const openWorkspace = (path: string) => openFolder(stores, path);
  const workspace = options.workspace === undefined ? undefined : await openWorkspace(options.workspace);
  const info = await describeHost(
    { ...options, workspace },
    { openToOthers, stores, toolbox, facts, sandbox },
  );
  const terminalDesk = createTerminalDesk(engine.journal, changes);
  const goOn = await recoverHost(stores, engine, sources.kept, info);
  terminalDesk.recover();
  const serverDesk = sources.serverDesk();
  serverDesk.recover();
  const handlers = createHandlers({
    stores,
    engine,
    host: {
      options: { ...options, deepagentsFolder },
      info,
      changes,
      toolbox,
      outerAgents: sources.outerAgents,
      remoteServers: sources.servers,
      serverDesk,
      pathKnown,
      inspector,
      openWorkspace,
      now,
    },
  });
  const parts = { dataDir, info, stores, changes, engine, sandbox, inspector, terminalDesk };
  const trySandbox = async () => sandbox.mode() !== "off" && (await sandbox.ready());
  const warmUp = createWarmUp([trySandbox, engine.sources.warmUp], options.warmUpAfterMs, hostLog.error);
  const host = { ...parts, serverDesk, log: hostLog, warmUp, openWorkspace };
  const ends = [terminalDesk.close, warmUp.end, ...(unattended ? [] : startWork(options, host, goOn))];
  return openDoors(host, handlers, { isUnattended: unattended !== undefined, ends, closings });
}

/** Brings the queue to what is true after the end of an earlier host. @returns the threads that go on by themselves. */
async function recoverHost(
  stores: Stores,
  engine: Engine,
  kept: KeptSessions,
  info: HostInfo,
): Promise<ThreadId[]> {
  info.warnings.push(...(await kept.endLeft()));
  info.warnings.push(...(await endLeftCommands(stores.executions)));
  info.warnings.push(...(await endLeftUndo(engine.takeBacks)));
  info.warnings.push(...(await engine.worktrees.recover()));
  const goOn = recover({
    ...stores,
    sources: engine.sources,
    fileRecovery: (execution) => void fileRecovery(engine.journal, execution),
    dropUncommitted: engine.rehearsals.dropUncommitted,
  });
  void engine.rehearsals.forgetUnused();
  await engine.decisions.refreshAll("recovery");
  return goOn;
}

/** Begins what goes on by itself, where a person is there to see it. @returns what ends the waiting for it. */
function startWork(
  options: HostOptions,
  { info, stores, changes, engine, inspector, serverDesk, log }: Opened,
  goOn: ThreadId[],
): (() => void)[] {
  engine.decisions.keepGraces();
  serverDesk.begin();
  for (const threadId of goOn) engine.actors.resume(threadId);
  for (const threadId of stores.threads.threadsWithQueued()) engine.actors.poke(threadId);
  const onDamage = (advice: string) => {
    info.warnings.push(advice);
    changes.tell({ kind: "host" });
  };
  const afterMs = options.checkDataAfterMs ?? defaultCheckAfterMs;
  const check = checkLater(inspector, options.dataDir, afterMs, { onDamage, onError: log.error });
  const budget = keepWithinBudget(stores.undoBudget, afterMs, log.error);
  return [check, budget];
}

/** As the settings want it at each command. */
const openSandbox = (given: HostOptions["sandbox"], settings: () => Settings, onKnown: () => void) =>
  createSandbox({
    mode: () => given?.mode ?? settings().sandbox,
    folders: () => settings().writableFolders,
    hidden: () => hiddenBy(settings(), process.env),
    onKnown,
    ...given?.parts,
  });

/** What windows are told of this start. */
async function describeHost(
  options: HostOptions,
  opened: {
    openToOthers: DataDirLock["openToOthers"];
    stores: Stores;
    toolbox: Toolbox;
    facts: LateFacts;
    sandbox: Sandbox;
  },
): Promise<HostInfo> {
  const { openToOthers, stores, toolbox, facts, sandbox } = opened;
  const missing = await describeMissingTools();
  const warnings = [openToOthers?.message, ...stores.warnings, ...toolbox.problems(), missing];
  return {
    version: options.version,
    mode: options.mode,
    platform: process.platform,
    dataDir: options.dataDir,
    home: homedir(),
    workspace: options.workspace ?? null,
    hasFolderDialog: options.pickFolder !== undefined,
    commandPath: facts.commandPath,
    commandShell: facts.commandShell,
    sandbox: sandbox.state(),
    warnings: warnings.filter((each) => each !== undefined),
  };
}

async function openFolder(stores: Stores, path: string): Promise<string> {
  const { path: real } = await translate("workspace", () => openWorkspace(path));
  stores.workspaces.touch(real);
  return real;
}
