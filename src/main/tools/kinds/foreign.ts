/** Tools of others: nothing is known of what they do but what a person said of a server's tool. */
import type { Verdict } from "../../../shared/contract/decisions.ts";
import { aboutOuterCall, isBlank, outerCallSchema } from "../../../shared/contract/outer-agents.ts";
import { isOutersTool, isServersTool } from "../../../shared/tools/tools.ts";
import {
  type AskedCall,
  type Described,
  describeArguments,
  type ToolBehaviour,
  verdictOf,
} from "../tool-behaviour.ts";
import { judgeToolClass, type ToolClass } from "../tool-classes.ts";

/** @param classOf what the person said of a tool of an MCP server, as it is described now */
export function createForeignKind(
  classOf: ((tool: string) => Promise<ToolClass | undefined>) | undefined,
): ToolBehaviour {
  return {
    isFree: false,
    async judge({ tool, args }) {
      if (isOutersTool(tool)) return { verdict: judgeOuter(tool, args) };
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

/** Whatever it would do, it does so by itself: a person alone can say yes. */
function judgeOuter(tool: string, args: Record<string, unknown>): Verdict {
  const call = outerCallSchema.safeParse(args).data;
  if (call === undefined) return judgeUnknown(tool);
  const reason = isBlank(call)
    ? "The agent does not say what this call would do."
    : "The agent does this itself; what it says of it is all there is to go by.";
  return verdictOf({ text: aboutOuterCall(call), verdict: "ask", reason });
}

async function describeOuter(asked: AskedCall): Promise<Described> {
  const call = outerCallSchema.safeParse(asked.args).data;
  if (call === undefined) return describeArguments(asked);
  const { agent, does } = call;
  const subject = { kind: "outer" as const, agent, does, about: aboutOuterCall(call), blank: isBlank(call) };
  return { subject, shape: `${asked.tool} ${agent}`, baseHash: undefined };
}
