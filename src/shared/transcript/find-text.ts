/** What of a transcript item can be found, and what counts as a match: the host counts and the page marks by the same code. */

import type { ToolCallItem, TranscriptItem } from "../contract/transcript.ts";
import { kindOf } from "../tools/tools.ts";

/** Longer address texts of links are left as they are, so that hostile text cannot make this slow. */
const link = /\[([^\]\n]{1,300})\]\([^)\s]{0,2000}\)/g;
const emphasis = /\*+|`+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with the escape character
const terminalSequence = /\u001b\[[0-?]*[ -/]*[@-~]/g;
const exitNote =
  /\n*\[Command (?:succeeded|failed) with exit code -?\d+\](?:\s*\[Output was truncated due to size limits\])?\s*$/;

/**
 * A global expression that finds the query as it stands, in any case; a gap in it fits any white space.
 * Use it with `search` or `matchAll`, which do not depend on its `lastIndex`.
 */
export function matcherOf(query: string): RegExp {
  const words = query.trim().split(/\s+/);
  return new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"), "giu");
}

/** @param matcher global, as `matcherOf` makes it; where it last stopped does not matter. */
export function matches(texts: readonly string[], matcher: RegExp): boolean {
  return texts.some((text) => text.search(matcher) >= 0);
}

/** Every text of an item that its card or message shows, folded parts included. */
export function textsOf(item: TranscriptItem): string[] {
  switch (item.kind) {
    case "userMessage":
      return [item.text, ...item.attachments];
    case "agentMessage":
      return [item.text, readable(item.text), item.reasoning ?? ""];
    case "toolCall":
      return [...argumentTexts(item), resultText(item), reasonText(item)];
    case "plan":
      return item.todos.map((todo) => todo.content);
    case "turnEnd":
      return [item.problem ?? ""];
    case "notice":
      return [item.text];
    case "takenBack":
      return [];
  }
}

/** The strings among the arguments that were (or will be) used. A plan is an item of its own, so its call has none. */
export function argumentTexts(item: ToolCallItem): string[] {
  if (kindOf(item.tool) === "plan") return [];
  const texts: string[] = [];
  const open: unknown[] = [item.decision?.type === "edit" ? item.decision.args : item.args];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") texts.push(value);
    else if (value !== null && typeof value === "object") open.push(...Object.values(value));
  }
  return texts;
}

/** What came of a call, without colours and without the exit code, which its card says in words of its own. */
export function resultText(item: ToolCallItem): string {
  if (kindOf(item.tool) === "plan") return "";
  return withoutExitNote(item.result ?? "").replace(terminalSequence, "");
}

/** What the command printed, without the line that the host adds. */
export function withoutExitNote(output: string): string {
  return output.replace(exitNote, "");
}

function reasonText(item: ToolCallItem): string {
  return item.decision?.type === "reject" ? (item.decision.message ?? "") : "";
}

/** Markdown as it reads, near enough for finding: without emphasis marks, and links by their words. */
function readable(markdown: string): string {
  return markdown.replace(link, "$1").replace(emphasis, "");
}
