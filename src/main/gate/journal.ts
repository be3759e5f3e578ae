/** What the steps of the gate work on: the stores they read and write, and one call on its way. */
import type Database from "better-sqlite3";
import type { Width } from "../../shared/contract/decisions.ts";
import type { ExecutionId } from "../../shared/ids.ts";
import type { ApprovalStore } from "../approvals/approval-store.ts";
import type { AutoApproveSwitch } from "../approvals/auto-approve.ts";
import type { ExecutionStore } from "../approvals/execution-store.ts";
import type { Ledger } from "../approvals/ledger.ts";
import type { WaitingRoom } from "../approvals/waiting-room.ts";
import type { Spending } from "../models/spending.ts";
import type { Readings } from "../provenance/readings.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { WorkspaceStore } from "../settings/workspace-store.ts";
import type { CommitDurably } from "../storage/durable-commit.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import type { ChangedByRun } from "../undo/changed-by-run.ts";
import type { GatedCall, ToolOutput } from "./call.ts";
import type { Drawings } from "./drawings.ts";
import type { Judge } from "./judge.ts";
import type { RouteStore } from "./route-store.ts";
import type { RunContext, Started } from "./run-context.ts";

export type Journal = {
  database: Database.Database;
  commitDurably: CommitDurably;
  now: () => number;
  log: EventLog;
  threads: ThreadStore;
  routes: RouteStore;
  approvals: ApprovalStore;
  executions: ExecutionStore;
  ledger: Ledger;
  readings: Pick<Readings, "note">;
  workspaces: Pick<WorkspaceStore, "isTrusted">;
  room: WaitingRoom;
  autoApprove: AutoApproveSwitch;
  judge: Judge;
  settings: Pick<SettingsStore, "get">;
  spending: Pick<Spending, "ofThread">;
  /** A question would wait for nobody. */
  isUnattended: boolean;
  drawings: Pick<Drawings, "again">;
  /** Executions that this host started and that have not ended; one that a crash cut off is not among them. */
  underway: Set<ExecutionId>;
  /** A command is about to begin in the workspace. */
  lookAhead(workspace: string, command: CommandAhead): void;
  /** What a command that has ended changed: its look at the folder is written down before its result is handed on. */
  changedBy: ChangedByRun;
};

/** A command whose row is on its way to the disk, with how far it may reach. */
export type CommandAhead = Pick<Started, "executionId" | "mayChangeFiles"> & { width: Width };

/** One call on its way through the gate. */
export type Pass<T> = {
  journal: Journal;
  call: GatedCall;
  run: RunContext;
  /** Calls the tool itself. */
  act(args: Record<string, unknown>): Promise<ToolOutput<T>>;
};
