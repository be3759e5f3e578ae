/** What the commands of a person about threads act on. */
import type { ModelRef } from "../../../shared/contract/models.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { AgentId, ThreadId } from "../../../shared/ids.ts";
import type { ApprovalStore } from "../../approvals/approval-store.ts";
import type { AutoApproveSwitch } from "../../approvals/auto-approve.ts";
import type { Decisions } from "../../approvals/decisions.ts";
import type { Sources } from "../../engine/sources.ts";
import type { ThreadWorktrees } from "../../engine/thread-worktrees.ts";
import type { Readings } from "../../provenance/readings.ts";
import type { OnceOnly } from "../../threads/commands.ts";
import type { EventLog } from "../../threads/event-log.ts";
import type { ThreadActors } from "../../threads/thread-actors.ts";
import type { ThreadRow, ThreadStore } from "../../threads/thread-store.ts";

export type ThreadParts = {
  threads: ThreadStore;
  log: EventLog;
  readings: Pick<Readings, "copyThread">;
  actors: ThreadActors;
  approvals: ApprovalStore;
  autoApprove: AutoApproveSwitch;
  decisions: Decisions;
  once: OnceOnly;
  summary(row: ThreadRow): ThreadSummary;
  /** Checks a folder and answers its real path. @throws ContractError naming what is wrong with it. */
  openWorkspace(path: string): Promise<string>;
  defaultModel(): ModelRef;
  defaultAgent(): AgentId;
  /** Whether there is such an agent and its file can be used. */
  hasAgent(agentId: AgentId): boolean;
  /** The name of the source that works for this agent. */
  sourceOfAgent(agentId: AgentId): string;
  modelOfAgent(agentId: AgentId): ModelRef | undefined;
  sources: Sources;
  worktrees: Pick<ThreadWorktrees, "offer" | "choose" | "begin" | "end">;
  /** Whether somebody is there who chose how threads begin. */
  isWatched: boolean;
  /** Ends what commands of a thread left running. */
  endLeftBehind(threadId: ThreadId): Promise<void>;
  /** Removes everything the host keeps for a thread besides its rows: command logs, originals of changed files. */
  removeData(threadId: ThreadId): Promise<void>;
};
