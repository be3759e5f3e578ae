/** Tools of others: nothing is known of what they do but what a person said of a server's tool. */
import type { Verdict } from "../../../shared/contract/decisions.ts";
import { isServersTool } from "../../../shared/tools/tools.ts";
import { describeArguments, type ToolBehaviour, verdictOf } from "../tool-behaviour.ts";
import { judgeToolClass, type ToolClass } from "../tool-classes.ts";

/** @param classOf what the person said of a tool of an MCP server, as it is described now */
export function createForeignKind(
  classOf: ((tool: string) => Promise<ToolClass | undefined>) | undefined,
): ToolBehaviour {
  return {
    isFree: false,
    async judge({ tool }) {
      if (!isServersTool(tool)) return { verdict: judgeUnknown(tool) };
      return { verdict: judgeToolClass(tool, await classOf?.(tool)) };
    },
    describe: describeArguments,
  };
}

/** What nobody can say anything of always asks. */
export function judgeUnknown(tool: string): Verdict {
  return verdictOf({ text: tool, verdict: "ask", reason: "Nothing is known about what this call does." });
}
