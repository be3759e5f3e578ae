/** Where a card says why it asks: beside the line of the command that a reason is about, or below all of it. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { mergeUnits, mostReasons, type Reason } from "./merge-units.ts";
import { firstParts } from "./read-parts.tsx";
import { splitText } from "./split-text.ts";

/** `part` is the part of the drawn text that it stands beside; `rank` its place among the reasons, the worst first. */
export type Note = { reason: Reason; rank: number; part: number; line: number; alsoOn: number[] };

type Line = { from: number; part: number; whole: boolean };

/** @returns those of the worst reasons that have a line of their own; all others are said below. */
export function placeReasons({ subject, verdict, leftOut }: Approval): Note[] {
  // One line needs no pointing at, and in a shortened text the places are others.
  if (subject.kind !== "command" || leftOut !== undefined || !subject.command.includes("\n")) return [];
  const { command } = subject;
  if (!verdict.units.some(({ at }) => at !== undefined)) return [];
  const lines = linesOf(command);
  return mergeUnits(verdict.units)
    .slice(0, mostReasons)
    .flatMap((reason, rank): Note[] => {
      if (reason.verdict === "safe" || reason.verdict === "covered") return [];
      // Of a part that stands nowhere nobody could tell which line it is.
      if (reason.places.some((at) => at === undefined || at >= command.length)) return [];
      const found = new Set(reason.places.map((at) => lines.findLastIndex(({ from }) => from <= (at ?? 0))));
      const [first = -1, ...rest] = [...found].sort((one, other) => one - other);
      const line = lines[first];
      if (!line?.whole || line.part >= firstParts) return [];
      return [{ reason, rank, part: line.part, line: first + 1, alsoOn: rest.map((at) => at + 1) }];
    });
}

/** `whole`: it is drawn in one part, so that a note beside it breaks nothing in two. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const [part, { text: drawn, startsLine }] of splitText(text).entries()) {
    const last = lines.at(-1);
    if (!startsLine && last) last.whole = false;
    if (startsLine && last) from += 1;
    if (startsLine) lines.push({ from, part, whole: true });
    from += drawn.length;
  }
  return lines;
}
