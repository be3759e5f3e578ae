/** A tool call as the gate sees it: what it is, what was made of it, what was decided about it, and what comes back. */

import type { InterruptRule } from "../../shared/contract/agents.ts";
import type { CardOrigin, Said } from "../../shared/contract/approvals.ts";
import type {
  DecidedBy,
  Decision,
  DecisionType,
  Risk,
  Seen,
  Verdict,
  Width,
} from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import type { ApprovalId, ThreadId, TurnId } from "../../shared/ids.ts";
import type { ToolFace } from "./tool-face.ts";

/** One tool call. */
export type GatedCall = {
  /** Thread, task and tool call: the same after a restart, a replay and inside sub-agents. */
  key: string;
  threadId: ThreadId;
  turnId: TurnId;
  itemId: string;
  parentItemId: string | undefined;
  agentPath: string[];
  toolCallId: string;
  tool: string;
  args: Record<string, unknown>;
  /** What the agent wrote before it. */
  said?: Said;
  /** What the agent's or sub-agent's `interruptOn` says of this tool. */
  rule: InterruptRule | undefined;
  /** JSON Schema of the tool's arguments. */
  argsSchema: Record<string, unknown> | undefined;
  /** What a server says of this tool, as the agent was offered it; absent for tools of our own. */
  face: ToolFace | undefined;
};

/** A call of which nobody said more than what it is: no agent's configuration, and no server that has the tool. */
export function bareCall(call: Omit<GatedCall, "rule" | "argsSchema" | "face">): GatedCall {
  return { ...call, rule: undefined, argsSchema: undefined, face: undefined };
}

/** Which call it is about, and what the agent said before it. */
export function placeOf({ threadId, turnId, itemId, agentPath, tool, args, said }: GatedCall) {
  return { threadId, turnId, itemId, agentPath, tool, args, said };
}

/** What becomes of a call; written down once per call key and never judged again (I4). */
export type Route =
  /** No side effect: reading inside the workspace (that very real path), the plan, a sub-agent. */
  | { kind: "free"; readPath?: string }
  | {
      kind: "run";
      verdict: Verdict;
      by: DecidedBy;
      cwd: string;
      face: ToolFace | undefined;
      /** For a command: how far it may reach. */
      width?: Width | undefined;
    }
  | { kind: "refuse"; verdict: Verdict; message: string; cwd: string }
  /** It cannot be made as the disk is, which the agent may know: the tool's own error is its answer. */
  | { kind: "unable"; message: string }
  | AskRoute;

export type AskRoute = {
  kind: "ask";
  verdict: Verdict;
  width?: Width | undefined;
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
  /** What of it the person did not write; absent where nobody looked. */
  origins?: CardOrigin[];
  /** The agent's configuration asks for a person; neither the switch nor a rule stands in for them. */
  always: boolean;
};

export type RunRoute = Extract<Route, { kind: "run" }>;

/** A route that may come to an effect. */
export type EffectRoute = Extract<Route, { kind: "run" | "refuse" | "ask" }>;

/** What was said of a call, and where it would run. */
export type Judged = Pick<EffectRoute, "verdict" | "cwd">;

/** What a server said of the tool when the call was judged. */
export function faceIn(route: Route | undefined): ToolFace | undefined {
  return route?.kind === "run" || route?.kind === "ask" ? route.face : undefined;
}

/** A decision that was made about a call, and everything the effect has to keep to. */
export type Decided = {
  approvalId: ApprovalId;
  decision: Decision;
  by: DecidedBy;
  seen?: Seen;
  /** As the card showed them: the agent's, or what a person made of them and looked at again. */
  args: Record<string, unknown>;
  verdict: Verdict;
  /** What of the world was shown. */
  baseHash: string | undefined;
  /** How far the command may reach, as the card said. */
  width: Width | undefined;
};

/** There is nothing to ask about: the call cannot be made as the disk is now, for this reason. */
export type Unable = { unable: string };

/** What a tool gave back: its text, whether it is an error, and the original for who called it. */
export type ToolOutput<T> = { text: string; isError: boolean; original: T };

/** What the gate hands back: the tool's own output, or a text that stands in for it. */
export type Passed<T> = { kind: "output"; original: T } | { kind: "text"; text: string; isError: boolean };

/** What was shown or offered is not what is there: nothing was done. */
export type Stale = {
  kind: "stale";
  /** The server's tool as it is now. */
  face: ToolFace | undefined;
  /** Why a command that was to be confined could not be. */
  notConfined?: string | undefined;
};

/** Thrown when the run has to end so that answers can be delivered; the call is walked into again afterwards. */
export class GateParked extends Error {
  override name = "GateParked";
}

/** What a call throws that waits for a person inside of it; `cause` is what its source knows that by. */
export class CallSuspended extends Error {}
