/** Puts the handlers of the contract together from the parts of an open host. */
import { rm } from "node:fs/promises";
import { homedir } from "node:os";
import type { HostInfo } from "../../shared/contract/console.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { Handlers } from "../../shared/wire/serve-contract.ts";
import type { OuterAgentStore } from "../agent-files/outer-agent-store.ts";
import type { RemoteServerStore } from "../agent-files/remote-server-store.ts";
import { outerSource } from "../agents/acp/outer-agents.ts";
import type { ServerDesk } from "../agents/servers/server-desk.ts";
import type { Toolbox } from "../agents/toolbox.ts";
import { toApproval } from "../approvals/approval-view.ts";
import { createAutoApproveDesk } from "../engine/auto-approve-desk.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stores } from "../engine/stores.ts";
import { createConfinedSwitch } from "../rules/confined-switch.ts";
import type { DataInspector } from "../storage/data-inspector.ts";
import type { Changes } from "../threads/changes.ts";
import { createDraftStore } from "../threads/draft-store.ts";
import { createGlanceStore } from "../threads/glances.ts";
import { builtInSource } from "../threads/thread-store.ts";
import { createPlaceCheck } from "./check-places.ts";
import type { ConsoleSource } from "./console-feed.ts";
import { watchCheck } from "./data-check.ts";
import { createDeepagentsImport, type DeepagentsImport } from "./deepagents-import.ts";
import { nearWorkspaces } from "./for-launcher.ts";
import { createAgentHandlers } from "./handlers/agents.ts";
import { createApprovalHandlers } from "./handlers/approvals.ts";
import { createConsoleHandlers } from "./handlers/console.ts";
import { createCostHandlers } from "./handlers/costs.ts";
import { createDeepagentsHandlers } from "./handlers/deepagents.ts";
import { createDraftHandlers } from "./handlers/drafts.ts";
import { createExecutionHandlers } from "./handlers/executions.ts";
import { createHomeHandlers } from "./handlers/home.ts";
import { createModelHandlers } from "./handlers/models.ts";
import { createOuterAgentHandlers } from "./handlers/outer-agents.ts";
import { createRemoteServerHandlers } from "./handlers/remote-servers.ts";
import { createRuleHandlers } from "./handlers/rules.ts";
import { createThreadHandlers, type ThreadHandlerParts } from "./handlers/threads.ts";
import { createUndoHandlers } from "./handlers/undo.ts";
import { createWorkspaceHandlers } from "./handlers/workspaces.ts";
import { createThreadActivity } from "./thread-activity.ts";
import { createSummaries, type Summaries } from "./thread-summary.ts";
import { createThreadTransfer } from "./thread-transfer.ts";

type HandlerParts = {
  options: {
    dataDir: string;
    /** Whether nobody is there to ask. */
    unattended?: object;
    pickFolder?: (startAt: string) => Promise<string | null>;
    openLink?: (url: string) => Promise<boolean>;
    /** Where the deepagents CLI keeps its threads. */
    deepagentsFolder: string;
  };
  info: HostInfo;
  stores: Stores;
  changes: Changes;
  engine: Engine;
  toolbox: Toolbox;
  outerAgents: OuterAgentStore;
  remoteServers: RemoteServerStore;
  serverDesk: ServerDesk;
  /** Resolves once this process has the PATH that programs are to be found in. */
  pathKnown: Promise<void>;
  inspector: DataInspector;
  /** Notes the folder as a known one. @returns its real path. */
  openWorkspace(path: string): Promise<string>;
  now: () => number;
};

/** Calls and streams of the contract, each given what it needs of the host. */
export function createHandlers(parts: HandlerParts): Handlers {
  const { options, stores, changes, engine, toolbox, outerAgents, inspector, openWorkspace, now } = parts;
  const { remoteServers, serverDesk } = parts;
  const { threads, spending } = stores;
  const tellThread = (threadId: ThreadId) => changes.tell({ kind: "thread", threadId });
  const activity = createThreadActivity(now, tellThread);
  changes.listen(activity.hear);
  const glances = createGlanceStore(stores.database);
  const summaries = createSummaries({ stores, engine, activity, glances, spending });
  const threadParts = toThreadParts(parts, summaries);
  const home = homedir();
  const confinedSwitch = createConfinedSwitch({
    settings: stores.settings.get,
    update: stores.settings.update,
    trustsAny: () => stores.workspaces.list().some(({ trusted }) => trusted),
    rules: stores.rules,
    uncovered: engine.uncovered,
  });
  return {
    ...createConsoleHandlers({
      source: toConsoleSource(parts, summaries),
      confinedSwitch,
      updateSettings: stores.settings.update,
      checkPlaces: createPlaceCheck({ home, dataDir: options.dataDir }),
      keys: stores.keys,
      backup: () => inspector.backUp("on-demand"),
      checkData: (signal) => watchCheck(inspector, options.dataDir, signal),
      inView: serverDesk.inView,
      openLink: options.openLink,
    }),
    ...createThreadHandlers(threadParts),
    ...createApprovalHandlers({
      ...stores,
      dataDir: options.dataDir,
      now,
      decisions: engine.decisions,
      confinedWidth: engine.confinedWidth,
      rehearsals: engine.rehearsals,
      diffOf: engine.diffOf,
      reachOf: engine.reachOf,
      // What is answered in a run that nobody watches is not a person's decision.
      decidedBy: options.unattended ? { kind: "unattended" } : { kind: "person" },
    }),
    ...createRuleHandlers({ ...stores, decisions: engine.decisions, confinedSwitch }),
    ...createExecutionHandlers(engine.shell, engine.journal.underway),
    ...createWorkspaceHandlers({
      ...stores,
      home,
      pickFolder: options.pickFolder && (() => options.pickFolder!(nearWorkspaces(stores, home))),
      openWorkspace,
    }),
    ...createModelHandlers(stores.models, stores.keys),
    ...createCostHandlers({
      ...stores,
      onPriceChanged() {
        for (const { id } of threads.list()) tellThread(id);
      },
    }),
    ...createUndoHandlers({ threads, takeBacks: engine.takeBacks }),
    ...createHomeHandlers({ threads, home: engine.home }),
    ...createDraftHandlers(createDraftStore(stores.database), threads),
    ...createAgentHandlers(toolbox, stores.models.defaultModel),
    ...createDeepagentsHandlers(toDeepagentsImport(parts, summaries)),
    ...createRemoteServerHandlers(serverDesk, remoteServers, threadParts),
    ...createOuterAgentHandlers({
      outerAgents,
      isTaken: (id) => toolbox.agents.list().agents.some((agent) => agent.id === id),
      pathKnown: parts.pathKnown,
    }),
  };
}

/** What every window is told of all threads and of the queue. */
function toConsoleSource({ stores, changes, info }: HandlerParts, summaries: Summaries): ConsoleSource {
  const { threads, approvals } = stores;
  return {
    changes,
    info: () => info,
    settings: stores.settings.get,
    threads: summaries.all,
    thread(id) {
      const row = threads.find(id);
      return row && summaries.of(row);
    },
    today: stores.spending.today,
    pendingApprovals: approvals.pendingIds,
    approval(id) {
      const row = approvals.get(id);
      const thread = row && threads.find(row.threadId);
      return row && thread && toApproval(row, thread);
    },
  };
}

/** Where the deepagents CLI keeps its threads, and what takes them over. */
function toDeepagentsImport(
  { options, stores, engine, toolbox, openWorkspace, now }: HandlerParts,
  summaries: Summaries,
): DeepagentsImport {
  return createDeepagentsImport({
    ...stores,
    folder: options.deepagentsFolder,
    now,
    source: engine.sources.of({ source: builtInSource }),
    openWorkspace,
    defaultAgent: toolbox.defaultAgentId,
    defaultModel: stores.models.defaultModel,
    summary: summaries.of,
  });
}

/** What commands of threads work with. */
function toThreadParts(
  { options, stores, changes, engine, toolbox, outerAgents, openWorkspace, now }: HandlerParts,
  summaries: Summaries,
): ThreadHandlerParts {
  const { threads, log, approvals } = stores;
  return {
    threads,
    log,
    readings: stores.readings,
    approvals,
    actors: engine.actors,
    autoApprove: engine.autoApprove,
    decisions: engine.decisions,
    once: stores.once,
    summary: summaries.of,
    openWorkspace,
    defaultModel: stores.models.defaultModel,
    defaultAgent: toolbox.defaultAgentId,
    hasAgent: (agentId) => toolbox.agentOf(agentId).id === agentId,
    sourceOfAgent: (agentId) =>
      toolbox.agentOf(agentId).id !== agentId && outerAgents.get(agentId) ? outerSource : builtInSource,
    modelOfAgent: (agentId) => toolbox.agentOf(agentId).model,
    sources: engine.sources,
    worktrees: engine.worktrees,
    isWatched: options.unattended === undefined,
    endLeftBehind: (threadId) => endLeftBehind(threadId, stores, engine.shell),
    removeData: (threadId) => removeThreadData(threadId, stores, engine),
    autoApproveDesk: createAutoApproveDesk({
      ...engine,
      threads,
      approvals,
      asksAlways: stores.routes.asksAlways,
    }),
    source: { changes, log, live: engine.liveText },
    transfer: createThreadTransfer({
      ...stores,
      dataDir: options.dataDir,
      now,
      openWorkspace,
      isRunning: engine.actors.isRunning,
      keptCheckpoints: engine.takeBacks.checkpointsOf,
      summary: summaries.of,
    }),
  };
}

/** Before its rows are gone, since they alone tell which processes are its own. */
function endLeftBehind(threadId: ThreadId, { executions }: Stores, shell: Engine["shell"]): Promise<void> {
  return shell.endLeftBehind(executions.ofThread(threadId).map(({ id }) => id));
}

async function removeThreadData(
  threadId: ThreadId,
  stores: Stores,
  { takeBacks }: Pick<Engine, "takeBacks">,
): Promise<void> {
  const executions = stores.executions.ofThread(threadId);
  await stores.tracker.forget(threadId);
  await takeBacks.forget(threadId);
  for (const { logPath } of executions) if (logPath) await rm(logPath, { force: true });
  stores.executions.removeThread(threadId);
  stores.approvals.removeThread(threadId);
  stores.routes.removeThread(threadId);
  stores.readings.removeThread(threadId);
}
