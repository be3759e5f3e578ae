/** What a tool call is about, in the words and the one line that stand in its card's head. */
import type { ToolCallItem } from "../../../shared/contract/transcript.ts";
import { strings } from "./strings.ts";

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
  return strings.tools[item.tool] ?? item.tool;
}

/** The command, path, pattern or address; `undefined` for tools this console does not know. */
export function subjectOf(item: ToolCallItem): string | undefined {
  switch (item.tool) {
    case "execute":
      return textArg(item, "command");
    case "glob":
    case "grep": {
      const [pattern, path] = [textArg(item, "pattern"), textArg(item, "path")];
      return pattern && path && path !== "/" ? `${pattern}  ${path}` : pattern;
    }
    case "task":
      return textArg(item, "subagent_type");
    case "ask_human":
      return textArg(item, "question");
    case "fetch_url":
      return textArg(item, "url");
    case "web_search":
      return textArg(item, "query");
    case "write_todos":
      return undefined;
    default:
      return textArg(item, "file_path", "path");
  }
}

/** How far the plan was when the agent wrote it down; the plan itself stands in a place of its own. */
export function planProgressOf(item: ToolCallItem): string | undefined {
  const { todos } = item.args;
  if (item.tool !== "write_todos" || !Array.isArray(todos)) return undefined;
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
