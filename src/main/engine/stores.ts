/** Everything the host keeps on disk, opened together and closed together. */
import { homedir } from "node:os";
import { join } from "node:path";
import type Database from "better-sqlite3";
import type { ShellKind } from "../../shared/command-shell.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type ApprovalStore, createApprovalStore } from "../approvals/approval-store.ts";
import { createExecutionStore, type ExecutionStore } from "../approvals/execution-store.ts";
import { createLedger, type Ledger } from "../approvals/ledger.ts";
import { openChangeFile } from "../files/change-store.ts";
import { createOriginalBlobs } from "../files/original-blobs.ts";
import { shownResultChars } from "../gate/record.ts";
import { createRouteStore, type RouteStore } from "../gate/route-store.ts";
import { createModelStore, type ModelStore } from "../models/model-store.ts";
import { createSpending, type Spending } from "../models/spending.ts";
import { createReadings, type Readings } from "../provenance/readings.ts";
import { createFolderTrust, type FolderTrust } from "../rules/folder-trust.ts";
import type { PastParts } from "../rules/preview-past.ts";
import { createRuleBook, type RuleBook } from "../rules/rule-book.ts";
import { createRuleOffers, type RuleOffers } from "../rules/rule-offers.ts";
import { createUnusedRules, type UnusedRules } from "../rules/unused-rules.ts";
import { createKeyStore, type KeyStore } from "../settings/key-store.ts";
import type { SecretBox } from "../settings/secret-box.ts";
import { createSettingsStore, type SettingsStore } from "../settings/settings-store.ts";
import { createWorkspaceStore, type WorkspaceStore } from "../settings/workspace-store.ts";
import type { LinearSqliteSaver } from "../storage/checkpointer/linear-sqlite-saver.ts";
import { type CommitDurably, createDurableCommits, type DurableCommits } from "../storage/durable-commit.ts";
import { replaceLostMemory } from "../storage/lost-memory.ts";
import { openDatabase } from "../storage/open-database.ts";
import { createWalKeeper, type WalKeeper } from "../storage/wal-keeper.ts";
import type { Changes } from "../threads/changes.ts";
import { createOnceOnly, type OnceOnly } from "../threads/commands.ts";
import { createEventLog, type EventLog } from "../threads/event-log.ts";
import { createThreadStore, type ThreadStore } from "../threads/thread-store.ts";
import { createTokenUseStore, type TokenUseStore } from "../threads/token-use.ts";
import { createWorktreeStore, type WorktreeStore } from "../worktrees/worktree-store.ts";
import { createFileUndo, type FileUndo } from "./file-undo.ts";

export type Stores = FileUndo & {
  database: Database.Database;
  threads: ThreadStore;
  log: EventLog;
  once: OnceOnly;
  commit: DurableCommits["commit"];
  commitDurably: CommitDurably;
  routes: RouteStore;
  readings: Readings;
  approvals: ApprovalStore;
  executions: ExecutionStore;
  ledger: Ledger;
  workspaces: WorkspaceStore;
  worktrees: WorktreeStore;
  folderTrust: FolderTrust;
  settings: SettingsStore;
  keys: KeyStore;
  models: ModelStore;
  tokenUse: TokenUseStore;
  spending: Spending;
  rules: RuleBook;
  ruleOffers: RuleOffers;
  unusedRules: UnusedRules;
  /** Hears of checkpoints that could not be written; the run they belong to must end. */
  onSaveFailed(listener: (threadId: ThreadId, error: unknown) => void): void;
  /** Opened with the first agent: a console that only shows the queue does not need it. */
  checkpointer(): Promise<LinearSqliteSaver>;
  warnings: string[];
  /** Why the agents know nothing of what was said before this start; absent when they do. */
  memoryLost: string | undefined;
  close(): Promise<void>;
};

/** @throws StorageError when the data directory cannot be used. */
export async function openStores(
  options: { dataDir: string; secretBox?: SecretBox },
  shell: ShellKind,
  changes: Changes,
  now: () => number,
): Promise<Stores> {
  const at = (name: string) => join(options.dataDir, name);
  const { database, warnings } = openDatabase(options.dataDir, now);
  const memoryLost = await replaceLostMemory(options.dataDir, database, now);
  const durable = createDurableCommits(database);
  const walKeeper = createWalKeeper();
  walKeeper.add(database);
  const workspaces = createWorkspaceStore(database, now);
  const ledger = createLedger(database, now);
  const approvals = createApprovalStore(database, now, (approvalId, threadId, isAsked) =>
    changes.tell({ kind: "approval", approvalId, threadId, isAsked }),
  );
  const threads = createThreadStore(database, now, (threadId) => changes.tell({ kind: "thread", threadId }));
  const log = createEventLog(database, now, (events) =>
    changes.tell({ kind: "events", threadId: events[0]!.threadId, events }),
  );
  const settings = createSettingsStore(at("settings.json"), () => changes.tell({ kind: "settings" }));
  const models = createModelStore(at("models.json"));
  const tokenUse = createTokenUseStore(database);
  const keys = createKeyStore(at("keys.json"), options.secretBox, process.env);
  const { worktrees, folderTrust, rules } = openRules(options.dataDir, database, workspaces, shell, {
    ledger,
    unconsumed: () => approvals.threadsWithUnconsumed().flatMap(approvals.unconsumed),
  });
  const unusedRules = createUnusedRules(database, rules, now);
  unusedRules.note();
  const memory = createLazyCheckpointer(at("checkpoints.db"), walKeeper);
  return {
    database,
    threads,
    log,
    once: createOnceOnly(database, now, durable.commitDurably),
    commit: durable.commit,
    commitDurably: durable.commitDurably,
    routes: createRouteStore(database),
    readings: createReadings(database, log.after, shownResultChars),
    approvals,
    executions: createExecutionStore(database, now),
    ledger,
    workspaces,
    worktrees,
    folderTrust,
    settings,
    keys,
    models,
    tokenUse,
    spending: createSpending(tokenUse, models, now),
    rules,
    ruleOffers: createRuleOffers(database, rules),
    unusedRules,
    ...createFileUndo({
      database,
      commitDurably: durable.commitDurably,
      contents: createOriginalBlobs(at("originals")),
      changes: await openChangeFile(at("changed-files.jsonl")),
    }),
    onSaveFailed: memory.onSaveFailed,
    checkpointer: memory.open,
    memoryLost,
    warnings: [
      ...warnings,
      ...(memoryLost ? [memoryLost] : []),
      ...[settings, models, keys].flatMap((store) => store.warnings),
      ...rules.problems().map(({ line, field, message }) => `rules.json line ${line}, ${field}: ${message}`),
    ],
    async close() {
      await walKeeper.close();
      await durable.close();
      database.close();
      await memory.close();
    },
  };
}

/** What holds in a folder: the person's trust and rules, for its worktrees too. */
function openRules(
  dataDir: string,
  database: Database.Database,
  workspaces: WorkspaceStore,
  shell: ShellKind,
  decided: PastParts,
) {
  const worktrees = createWorktreeStore(database);
  const folderTrust = createFolderTrust(database, workspaces, homedir(), (folder) =>
    worktrees.madeFor(folder).map(({ path }) => path),
  );
  const { isTrusted } = workspaces;
  const rules = createRuleBook({
    dataDir,
    shell,
    ...decided,
    isTrusted,
    folderTrust,
    originOf: (workspace) => worktrees.at(workspace)?.origin ?? workspace,
  });
  return { worktrees, folderTrust, rules };
}

/** The agents' memory, opened when it is first asked for. */
function createLazyCheckpointer(file: string, walKeeper: WalKeeper) {
  const saveFailed = new Set<(threadId: ThreadId, error: unknown) => void>();
  let opened: Promise<LinearSqliteSaver> | undefined;
  async function load(): Promise<LinearSqliteSaver> {
    const { createCheckpointer } = await import("../storage/checkpointer/create-checkpointer.ts");
    const saver = createCheckpointer(file, (threadId, error) => {
      for (const listener of saveFailed) listener(threadId as ThreadId, error);
    });
    walKeeper.add(saver.db);
    return saver;
  }
  return {
    onSaveFailed: (listener: (threadId: ThreadId, error: unknown) => void) => void saveFailed.add(listener),
    open() {
      opened ??= load();
      return opened;
    },
    async close() {
      // What could not be opened, as it was cut meanwhile, has nothing to be closed; whoever asked for it was told why.
      const saver = await opened?.catch(() => undefined);
      saver?.close();
    },
  };
}
