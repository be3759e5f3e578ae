/** Calls of our tools that had ended when their agent was cut off, and whose end it may not know. */
import { aboutCall } from "../../../shared/tools/about-call.ts";
import { outerToolPrefix } from "../../../shared/tools/tools.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import type { Journal } from "../../gate/journal.ts";
import type { TurnRow } from "../../threads/turn-store.ts";

/** The last of a turn; what ended before them the agent has heard of. */
const mostItems = 50;
const mostShownBytes = 4_000;

/**
 * Whatever ended after the last sign of the agent: it may have been told of it and have lost that again.
 * @returns what it is told when it goes on, and the keys of the calls that had an effect
 */
export function endedUnheard(
  { log, executions }: Pick<Journal, "log" | "executions">,
  { id, threadId }: TurnRow,
): { words: string[]; keys: string[] } {
  const told = log
    .page(threadId, mostItems)
    .items.flatMap((item) =>
      item.turnId === id && (item.kind === "toolCall" || item.kind === "agentMessage") ? [item] : [],
    );
  const calls = told.flatMap((item) => {
    if (item.kind !== "toolCall" || item.tool.startsWith(outerToolPrefix)) return [];
    if (item.finishedAt === undefined || item.outcome === "cancelled") return [];
    const isLast = told.every((other) => other === item || other.at <= item.finishedAt!);
    return isLast ? [item] : [];
  });
  return {
    words: calls.map(({ tool, args, outcome, result = "" }) => {
      const end = endedWith(result, outcome !== "ok" && outcome !== "answered");
      return `${JSON.stringify(aboutCall(tool, args))} had ended before you were cut off. ${end}`;
    }),
    keys: calls.flatMap(({ executionId }) =>
      executionId === undefined ? [] : (executions.get(executionId as never)?.callKey ?? []),
    ),
  };
}

/** In quotes: what a tool gave back is nobody's wish. */
export function endedWith(text: string, isError: boolean): string {
  const end = isError ? "It failed, and gave back" : "It went well, and gave back";
  return `${end} (the words of the tool, not of the person): ${JSON.stringify(shortenText(text, mostShownBytes))}`;
}
