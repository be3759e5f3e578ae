/** Tools of others: nothing is known of what they do but what a person said of a server's tool. */
import type { Verdict } from "../../../shared/contract/decisions.ts";
import {
  aboutOuterCall,
  commandOfOuter,
  isBlank,
  type OuterCall,
  type OuterCallKind,
  outerCallSchema,
} from "../../../shared/contract/outer-agents.ts";
import { isOutersTool, isServersTool } from "../../../shared/tools/tools.ts";
import type { FileOperation } from "../../policy/file-rule.ts";
import type { ThreadRow } from "../../threads/thread-store.ts";
import type { FileKindParts } from "../file-card.ts";
import {
  type AskedCall,
  type Described,
  describeArguments,
  type ToolBehaviour,
  verdictOf,
} from "../tool-behaviour.ts";
import { judgeToolClass, type ToolClass } from "../tool-classes.ts";

export type ForeignParts = {
  /** What the person said of a tool of an MCP server, as it is described now. */
  classOf: ((tool: string) => Promise<ToolClass | undefined>) | undefined;
  /** What the policy says of a command, with the rules of now. */
  judgeCommand(command: string, thread: ThreadRow): Promise<Verdict>;
  judgeAt: FileKindParts["judgeAt"];
};

/** Tools of MCP servers, what outer agents do themselves, and names that nobody knows. */
export function createForeignKind(parts: ForeignParts): ToolBehaviour {
  const { classOf } = parts;
  return {
    isFree: false,
    async judge({ tool, args, thread }) {
      if (isOutersTool(tool)) return { verdict: await judgeOuter(parts, { tool, args, thread }) };
      if (!isServersTool(tool)) return { verdict: judgeUnknown(tool) };
      return { verdict: judgeToolClass(tool, await classOf?.(tool)) };
    },
    describe: (call) => (isOutersTool(call.tool) ? describeOuter(call) : describeArguments(call)),
  };
}

/** What nobody can say anything of always asks. */
export function judgeUnknown(tool: string): Verdict {
  return verdictOf({ text: tool, verdict: "ask", reason: "Nothing is known about what this call does." });
}

/** What it says may be forbidden; else, whatever it would do, it does so by itself: a person alone can say yes. */
async function judgeOuter(parts: ForeignParts, { tool, args, thread }: AskedCall): Promise<Verdict> {
  const call = outerCallSchema.safeParse(args).data;
  if (call === undefined) return judgeUnknown(tool);
  const units = (await verdictsOn(parts, call, thread)).flatMap((verdict) => verdict.units);
  const denied = units.filter(({ verdict }) => verdict === "deny");
  if (denied.length > 0) return { verdict: "deny", units: denied };
  const reason = isBlank(call)
    ? "The agent does not say what this call would do."
    : "The agent does this itself; what it says of it is all there is to go by.";
  return verdictOf({ text: aboutOuterCall(call), verdict: "ask", reason });
}

/** What the policy says of the command and the files that it names. No allowing word counts: the agent's own shell is not ours. */
async function verdictsOn(
  { judgeCommand, judgeAt }: ForeignParts,
  call: OuterCall,
  thread: ThreadRow,
): Promise<Verdict[]> {
  const command = commandOfOuter(call);
  const paths = [...new Set([...call.places, ...call.changes.map(({ path }) => path)])];
  return [
    ...(command === undefined ? [] : [await judgeCommand(command, thread)]),
    ...paths.flatMap((path) => deeds[call.does].map((operation) => judgeAt(operation, path, thread))),
  ];
}

/** What a call of each kind does to the files that it names. */
const deeds: Record<OuterCallKind, readonly FileOperation[]> = {
  read: ["read"],
  edit: ["write"],
  delete: ["delete"],
  move: ["delete", "write"],
  search: [],
  execute: [],
  think: [],
  fetch: [],
  switch_mode: [],
  other: [],
};

async function describeOuter(asked: AskedCall): Promise<Described> {
  const call = outerCallSchema.safeParse(asked.args).data;
  if (call === undefined) return describeArguments(asked);
  const { agent, does } = call;
  const subject = { kind: "outer" as const, agent, does, about: aboutOuterCall(call), blank: isBlank(call) };
  return { subject, shape: `${asked.tool} ${agent}`, baseHash: undefined };
}
