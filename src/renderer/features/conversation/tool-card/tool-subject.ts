/** What a tool call is about, in the words and the one line that stand in its card's head. */
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { factsOf, kindOf } from "../../../../shared/tools/tools.ts";
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
  return factsOf(item.tool)?.verb ?? item.tool;
}

/** The command, path, pattern or address; `undefined` for a foreign tool. */
export function subjectOf(item: ToolCallItem): string | undefined {
  return factsOf(item.tool)?.about(argsOf(item));
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
