/** What models, tools and repositories wrote, as a terminal may be given it: nothing moves its cursor or turns its text. */
import type { ThreadEvent } from "../../shared/contract/thread-events.ts";
import { visibleText } from "../base/visible-text.ts";

/** Lines and tabs stay. @param margin before each line, so that no line passes for one of ours. */
export function visibleLines(text: string, margin = ""): string {
  return text
    .split(/\r?\n/)
    .map((line) => margin + line.split("\t").map(visibleText).join("\t"))
    .join("\n");
}

/** What a person who follows a thread reads of an event; undefined for what is shown otherwise. */
export function describeEvent(data: ThreadEvent["data"]): string | undefined {
  const text = tell(data);
  return text === undefined ? undefined : visibleLines(text);
}

function tell(data: ThreadEvent["data"]): string | undefined {
  if (data.type === "message.finished") return data.text;
  if (data.type === "toolCall.requested") return `→ ${data.tool} ${JSON.stringify(data.args)}`;
  if (data.type === "toolCall.finished" && data.outcome !== "ok") return `  ${data.outcome}: ${data.result}`;
  if (data.type === "turn.finished" && data.problem) return data.problem;
  return undefined;
}
