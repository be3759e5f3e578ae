/** What a tool call is about, in the words and the one line that stand in its card's head. */
import { aboutOuterCall, type OuterCall, outerCallSchema } from "../../../../shared/contract/outer-agents.ts";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { factsOf, isOutersTool, kindOf } from "../../../../shared/tools/tools.ts";
import { strings } from "../strings.ts";

/** The arguments that were (or will be) used: those of the person when they changed the call. */
export function argsOf(item: ToolCallItem): Record<string, unknown> {
  return item.decision?.type === "edit" ? item.decision.args : item.args;
}

export function textArg(item: ToolCallItem, ...names: string[]): string | undefined {
  const args = argsOf(item);
  for (const name of names) {
    const value = args[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

export function verbOf(item: ToolCallItem): string {
  return outerCallOf(item)?.agent ?? factsOf(item.tool)?.verb ?? item.tool;
}

/** The command, path, pattern or address; `undefined` for a foreign tool. */
export function subjectOf(item: ToolCallItem): string | undefined {
  const outer = outerCallOf(item);
  return outer ? aboutOuterCall(outer) : factsOf(item.tool)?.about(argsOf(item));
}

/** What an agent told of a call that it makes itself: its name stands where a tool's verb does. */
function outerCallOf(item: ToolCallItem): OuterCall | undefined {
  return isOutersTool(item.tool) ? outerCallSchema.safeParse(item.args).data : undefined;
}

/** How far the plan was when the agent wrote it down; the plan itself stands in a place of its own. */
export function planProgressOf(item: ToolCallItem): string | undefined {
  const { todos } = item.args;
  if (kindOf(item.tool) !== "plan" || !Array.isArray(todos)) return undefined;
  const done = todos.filter((todo) => todo?.status === "completed").length;
  return strings.planProgress(done, todos.length);
}

/** A command that ended with another code than 0 has failed, whatever its tool reported. */
export function hasFailed(item: ToolCallItem): boolean {
  const code = item.receipt?.exitCode;
  return (
    item.outcome === "failed" ||
    item.outcome === "denied" ||
    (code !== undefined && code !== null && code !== 0)
  );
}
