/** Joins the parts of a command that ask for the same reason, so that a long script says each reason once. */
import type { Verdict, VerdictName } from "../../../shared/contract/decisions.ts";

type Unit = Verdict["units"][number];
/** `places`: where in the command each of its texts begins, if that is known. */
export type Reason = Omit<Unit, "text" | "at"> & { texts: string[]; places: (number | undefined)[] };

/** As many are said at once; the rest is folded. */
export const mostReasons = 3;

/** What asks stands above what does not. */
const weight: Record<VerdictName, number> = { deny: 0, ask: 1, new: 2, covered: 3, safe: 4 };

/** @returns one reason for all parts of equal verdict, class, words and rule: the heaviest first, else as they stand. */
export function mergeUnits(units: readonly Unit[]): Reason[] {
  const merged = new Map<string, Reason>();
  for (const { text, at, ...rest } of units) {
    const key = JSON.stringify([rest.verdict, rest.class, rest.reason, rest.rule]);
    const reason = merged.get(key);
    if (reason) {
      reason.texts.push(text);
      reason.places.push(at);
    } else merged.set(key, { ...rest, texts: [text], places: [at] });
  }
  return [...merged.values()].sort((one, other) => weightOf(one) - weightOf(other));
}

/** What leaves the machine or cannot be undone weighs most of what asks. */
function weightOf({ verdict, class: beyond }: Reason): number {
  return weight[verdict] - (beyond ? 0.5 : 0);
}

/** The beginning of a text that is too long for its place. A character is never cut in two. */
export function bounded(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const code = text.charCodeAt(longest - 1);
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? longest - 1 : longest)}…`;
}
