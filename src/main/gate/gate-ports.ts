/** What the gate needs from the rest of the host; the gate itself knows no database, no policy and no window. */

import type { InterruptRule } from "../../shared/contract/agents.ts";
import type { Subject } from "../../shared/contract/approvals.ts";
import type { DecidedBy, Decision, DecisionType, Risk, Verdict } from "../../shared/contract/decisions.ts";
import type { Receipt, ThreadEventData, Todo, ToolOutcome } from "../../shared/contract/thread-events.ts";
import type { ApprovalId, ExecutionId, ThreadId, TurnId } from "../../shared/ids.ts";
import type { ToolFace } from "./tool-face.ts";

/** One tool call as the gate sees it. */
export type GatedCall = {
  /** Thread, LangGraph task and tool call: the same after a restart, a replay and inside sub-agents. */
  key: string;
  threadId: ThreadId;
  turnId: TurnId;
  itemId: string;
  parentItemId: string | undefined;
  agentPath: string[];
  toolCallId: string;
  tool: string;
  args: Record<string, unknown>;
  /** What the agent's or sub-agent's `interruptOn` says of this tool. */
  rule: InterruptRule | undefined;
  /** JSON Schema of the tool's arguments. */
  argsSchema: Record<string, unknown> | undefined;
  /** What a server says of this tool, as the agent was offered it; absent for tools of our own. */
  face: ToolFace | undefined;
};

/** What becomes of a call; written down once per call key and never judged again (I4). */
export type Route =
  /** No side effect: reading inside the workspace (that very real path), the plan, a sub-agent. */
  | { kind: "free"; readPath?: string }
  | { kind: "run"; verdict: Verdict; by: DecidedBy; cwd: string; face: ToolFace | undefined }
  | { kind: "refuse"; verdict: Verdict; message: string; cwd: string }
  /** It cannot be made as the disk is, which the agent may know: the tool's own error is its answer. */
  | { kind: "unable"; message: string }
  | {
      kind: "ask";
      verdict: Verdict;
      risk: Risk;
      cwd: string;
      subject: Subject;
      shape: string;
      allowed: DecisionType[];
      description: string | undefined;
      argsSchema: Record<string, unknown> | undefined;
      /** What of the world the card is drawn against: a file with its content, where a path leads, a server's tool. */
      baseHash: string | undefined;
      face: ToolFace | undefined;
      /** The agent's configuration asks for a person; neither the switch nor a rule stands in for them. */
      always: boolean;
    };

/** A route that may come to an effect. */
export type EffectRoute = Extract<Route, { kind: "run" | "refuse" | "ask" }>;

/** A decision that was made about a call, and everything the effect has to keep to. */
export type Decided = {
  approvalId: ApprovalId;
  decision: Decision;
  by: DecidedBy;
  /** As the card showed them: the agent's, or what a person made of them and looked at again. */
  args: Record<string, unknown>;
  verdict: Verdict;
  /** What of the world was shown. */
  baseHash: string | undefined;
};

/** A question that was just decided, or `parked` when the run has to end so that other answers can be delivered. */
export type Answer = Decided | "parked";

/** There is nothing to ask about: the call cannot be made as the disk is now, for this reason. */
export type Unable = { unable: string };

export type EarlierExecution = {
  id: ExecutionId;
  state: "started" | "suspended" | "finished" | "closed";
  outcome: ToolOutcome | null;
  result: string | null;
};

export type Started = {
  executionId: ExecutionId;
  args: Record<string, unknown>;
  /** What of the world was shown; `undefined` when nobody was asked. */
  baseHash: string | undefined;
  /** A person saw that the path they said yes to is outside of the workspace. */
  mayLeaveWorkspace: boolean;
  /** A person saw that the address leads to this machine or its own network. */
  mayReachOwnNetwork: boolean;
  /** For a read that was asked about: the real path that was shown, and that alone is read. */
  shownPath: string | undefined;
  /** For a server's tool: the digest of its face as it was shown or offered. */
  toolDigest: string | undefined;
  /** False when the policy knows that it only reads. */
  mayChangeFiles: boolean;
};

export type GatePorts = {
  /** Whether this error says that nothing can be written down any more, as on a full disk. */
  isUnwritable(error: unknown): boolean;
  record(threadId: ThreadId, events: ThreadEventData[]): void;
  hasItem(threadId: ThreadId, itemId: string): boolean;
  /** Judges the call at its first sight and answers the same ever after. */
  routeOf(call: GatedCall): Promise<Route>;
  /** Judges again what is about to run, with the rules of now and the arguments as a person left them; only a denial stops it. */
  judgeAgain(
    call: GatedCall,
    args: Record<string, unknown>,
  ): Promise<{ denied: string | undefined; verdict: Verdict }>;
  /** The decision on the newest question about this call, when there is one that something may act on. */
  decidedOf(call: GatedCall): Decided | undefined;
  /** Puts the question in the queue (or finds it there) and waits for a person. Rejects when the signal aborts. */
  ask(call: GatedCall, route: Extract<Route, { kind: "ask" }>, signal: AbortSignal): Promise<Answer | Unable>;
  /** Asks what to do about an execution that a crash left unknown. */
  askRecovery(call: GatedCall, executionId: ExecutionId, signal: AbortSignal): Promise<Answer>;
  /** The arguments an execution ran with. */
  argsOf(executionId: ExecutionId): Record<string, unknown>;
  earlierExecution(call: GatedCall): EarlierExecution | undefined;
  /** In one transaction: the decision is used up, an unknown earlier one is closed, the row and its ledger line are written; resolves when they are on disk (I1, I3). */
  startExecution(
    call: GatedCall,
    route: EffectRoute,
    how: { args: Record<string, unknown>; by: DecidedBy; decided: Decided | undefined; verdict: Verdict },
  ): Promise<Started>;
  finishExecution(
    call: GatedCall,
    executionId: ExecutionId,
    end: { outcome: ToolOutcome; result: string; receipt: Receipt },
  ): void;
  /** The tool itself asks a person in the middle of its work; the execution rests until the answer is there. */
  suspendExecution(call: GatedCall, executionId: ExecutionId): void;
  /** The answer is there; the same execution goes on, nothing new is decided or written to the ledger. */
  continueExecution(call: GatedCall, executionId: ExecutionId): Started;
  /**
   * The effect did not begin: the file is not what was shown, or the run ended first. Then `unused` is the decision to
   * give back, for the turn to go on with.
   */
  dropExecution(call: GatedCall, executionId: ExecutionId, unused?: Decided): void;
  /** A person marked an unknown outcome as done. */
  closeExecution(
    call: GatedCall,
    executionId: ExecutionId,
    end: { outcome: ToolOutcome; result: string },
  ): void;
  /** Ends a call in the transcript that came to no effect; one that ended already stays as it is. */
  finishCall(call: GatedCall, end: { outcome: ToolOutcome; result: string }): void;
  /** A refusal, a rejection or an answer: the ledger says it, the decision is used up. */
  settle(
    call: GatedCall,
    route: EffectRoute,
    end: {
      decision: Decision;
      by: DecidedBy;
      decided: Decided | undefined;
      outcome: ToolOutcome;
      result: string;
    },
  ): void;
  /** Files a raw `interrupt(value)` in the queue; answers that were given before are returned in order. */
  answersOf(call: GatedCall): unknown[];
  askInterrupt(call: GatedCall, interrupt: { id: string; value: unknown }): void;
  planChanged(call: GatedCall, todos: Todo[]): void;
};
