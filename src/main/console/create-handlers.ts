/** Puts the handlers of the contract together from the parts of an open host. */
import { existsSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import type { HostInfo } from "../../shared/contract/console.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { Handlers } from "../../shared/wire/serve-contract.ts";
import type { Toolbox } from "../agents/toolbox.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import { toApproval } from "../approvals/approval-view.ts";
import { createAutoApproveDesk } from "../engine/auto-approve-desk.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stores } from "../engine/stores.ts";
import type { Shell } from "../shell/shell.ts";
import type { DataInspector } from "../storage/data-inspector.ts";
import type { Changes } from "../threads/changes.ts";
import { createDraftStore } from "../threads/draft-store.ts";
import { createGlanceStore } from "../threads/glances.ts";
import type { ConsoleSource } from "./console-feed.ts";
import { watchCheck } from "./data-check.ts";
import { nearWorkspaces } from "./for-launcher.ts";
import { createAgentHandlers } from "./handlers/agents.ts";
import { createApprovalHandlers } from "./handlers/approvals.ts";
import { createConsoleHandlers } from "./handlers/console.ts";
import { createCostHandlers } from "./handlers/costs.ts";
import { createDraftHandlers } from "./handlers/drafts.ts";
import { createExecutionHandlers } from "./handlers/executions.ts";
import { createModelHandlers } from "./handlers/models.ts";
import { createThreadHandlers } from "./handlers/threads.ts";
import { createWorkspaceHandlers } from "./handlers/workspaces.ts";
import { createThreadActivity } from "./thread-activity.ts";
import type { ThreadParts } from "./thread-commands/thread-parts.ts";
import { createSummaries } from "./thread-summary.ts";
import { createThreadTransfer } from "./thread-transfer.ts";

type HandlerParts = {
  options: {
    dataDir: string;
    /** Whether nobody is there to ask. */
    unattended?: object;
    pickFolder?: (startAt: string) => Promise<string | null>;
    openLink?: (url: string) => Promise<boolean>;
  };
  info: HostInfo;
  stores: Stores;
  changes: Changes;
  engine: Engine;
  toolbox: Toolbox;
  inspector: DataInspector;
  /** Notes the folder as a known one. @returns its real path. */
  openWorkspace(path: string): Promise<string>;
  now: () => number;
};

/** Calls and streams of the contract, each given what it needs of the host. */
export function createHandlers({
  options,
  info,
  stores,
  changes,
  engine,
  toolbox,
  inspector,
  openWorkspace,
  now,
}: HandlerParts): Handlers {
  const { threads, log, approvals, spending } = stores;
  const tellThread = (threadId: ThreadId) => changes.tell({ kind: "thread", threadId });
  const activity = createThreadActivity(now, tellThread);
  changes.listen(activity.hear);
  const glances = createGlanceStore(stores.database);
  const summaries = createSummaries({ stores, engine, activity, glances, spending });
  const source: ConsoleSource = {
    changes,
    info: () => info,
    settings: stores.settings.get,
    threads: summaries.all,
    thread(id) {
      const row = threads.find(id);
      return row && summaries.of(row);
    },
    today: spending.today,
    pendingApprovals: approvals.pendingIds,
    approval: (id) => viewApproval(approvals.get(id)),
  };
  function viewApproval(row: ApprovalRow | undefined) {
    const thread = row && threads.find(row.threadId);
    return row && thread && toApproval(row, thread);
  }
  const threadParts: ThreadParts = {
    threads,
    log,
    approvals,
    actors: engine.actors,
    autoApprove: engine.autoApprove,
    decisions: engine.decisions,
    once: stores.once,
    summary: summaries.of,
    openWorkspace,
    defaultModel: stores.models.defaultModel,
    defaultAgent: toolbox.defaultAgentId,
    modelOfAgent: (agentId) => toolbox.agentOf(agentId).model,
    sources: engine.sources,
    removeData: (threadId) => removeThreadData(threadId, stores, engine.shell),
  };
  const transfer = createThreadTransfer({
    ...stores,
    threads,
    dataDir: options.dataDir,
    now,
    openWorkspace,
    isRunning: engine.actors.isRunning,
    summary: summaries.of,
  });
  return {
    ...createConsoleHandlers({
      source,
      uncovered: engine.uncovered,
      updateSettings: stores.settings.update,
      keys: stores.keys,
      backup: () => inspector.backUp("on-demand"),
      checkData: (signal) => watchCheck(inspector, options.dataDir, signal),
      openLink: options.openLink,
    }),
    ...createThreadHandlers({
      ...threadParts,
      autoApproveDesk: createAutoApproveDesk({
        ...engine,
        threads,
        approvals,
        asksAlways: stores.routes.asksAlways,
      }),
      source: { changes, log, live: engine.liveText },
      transfer,
    }),
    ...createApprovalHandlers({
      ...stores,
      dataDir: options.dataDir,
      now,
      decisions: engine.decisions,
      confinedWidth: engine.confinedWidth,
      uncovered: engine.uncovered,
      diffOf: engine.diffOf,
      reachOf: engine.reachOf,
      // What is answered in a run that nobody watches is not a person's decision.
      decidedBy: options.unattended ? { kind: "unattended" } : { kind: "person" },
    }),
    ...createExecutionHandlers(engine.shell, engine.journal.underway),
    ...createWorkspaceHandlers({
      home: homedir(),
      threads,
      workspaces: stores.workspaces,
      folderTrust: stores.folderTrust,
      tracker: stores.tracker,
      pickFolder: options.pickFolder && (() => options.pickFolder!(nearWorkspaces(stores, homedir()))),
      openWorkspace,
    }),
    ...createModelHandlers(stores.models, stores.keys),
    ...createCostHandlers({
      threads,
      tokenUse: stores.tokenUse,
      models: stores.models,
      spending,
      onPriceChanged() {
        for (const { id } of threads.list()) tellThread(id);
      },
    }),
    ...createDraftHandlers(createDraftStore(stores.database), threads),
    ...createAgentHandlers(toolbox),
  };
}

/** Before its rows are gone, since they alone tell which processes are its own. */
async function removeThreadData(threadId: ThreadId, stores: Stores, shell: Shell): Promise<void> {
  const executions = stores.executions.ofThread(threadId);
  await shell.endLeftBehind(executions.map(({ id }) => id));
  await stores.tracker.forget(threadId);
  for (const { logPath } of executions) if (logPath && existsSync(logPath)) rmSync(logPath, { force: true });
  stores.executions.removeThread(threadId);
  stores.approvals.removeThread(threadId);
  stores.routes.removeThread(threadId);
}
