/** Opens what hides an item: the run of the sub-agent it is in, and the folded parts of it in which the sought text stands. */
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import { kindOf } from "../../../../shared/tools/tools.ts";
import { argumentTexts, matches, resultText } from "../../../../shared/transcript/find-text.ts";
import { setOpen } from "./open-state.ts";
import { readingRunOf, runName } from "./reading-runs.ts";
import type { Part } from "./transcript-store.ts";
import { pathTo } from "./transcript-window.ts";

/** @param matcher finds the sought text; without one only what is around the item is opened. */
export function unfoldFor(part: Part, itemId: string, matcher: RegExp | undefined): void {
  const path = pathTo(part, itemId);
  for (const id of path.slice(0, -1)) {
    setOpen(id, true);
    setOpen(`${id}:steps`, true);
  }
  for (const id of path) {
    const run = readingRunOf(part, id);
    if (run) setOpen(runName(run), true);
  }
  const item = part.items.get(itemId);
  if (item && matcher) for (const fold of foldsWith(item, matcher)) setOpen(fold, true);
}

/** The names under which rows remember what is open; see `useOpen`. */
function foldsWith(item: TranscriptItem, matcher: RegExp): string[] {
  if (item.kind === "agentMessage")
    return matches([item.reasoning ?? ""], matcher) ? [`${item.id}:reasoning`] : [];
  if (item.kind !== "toolCall") return [];
  const inArguments = matches(argumentTexts(item), matcher);
  const inBody = kindOf(item.tool) === "delegate" ? inArguments : false;
  return [
    ...(inBody || matches([resultText(item)], matcher) ? [item.id] : []),
    ...(inArguments ? [`${item.id}:arguments`] : []),
  ];
}
