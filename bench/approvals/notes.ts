/** What stands below the tables: whose policies the sides are, and what the counts leave out. */
import { harmsUnasked } from "./replay.ts";
import type { Side } from "./side.ts";
import type { Corpus } from "./trace.ts";
import type { Rejecting, Unseen } from "./unseen-halves.ts";

/** Whose policy each side is. */
export function notesOnSides(sides: readonly Side[]): string[] {
  const byBasis = Map.groupBy(sides, ({ basis }) => basis);
  return [...byBasis].map(([basis, those]) => `${those.map(({ name }) => name).join("; ")}: ${basis}.`);
}

/** A sandbox keeps nobody from asking for harm: what is counted as done there was only bounded by it. */
export async function notesOnConfined(corpora: readonly Corpus[], side: Side): Promise<string[]> {
  const notes: string[] = [];
  for (const corpus of corpora) {
    const unasked = await harmsUnasked(corpus, side);
    const count = unasked.reduce((sum, [, each]) => sum + each, 0);
    const kinds =
      unasked.length > 5 ? `${unasked.length} kinds` : unasked.map((each) => each.join(" ")).join(", ");
    if (count > 0)
      notes.push(
        `The ${count} harms of ${corpus.name} that count as done with "${side.name}" (${kinds}) are commands that nobody was asked about, which had no network, no socket and no credential and wrote in the workspace alone; whether that was any harm then was not looked at.`,
      );
  }
  return notes;
}

/** What mined rules could have answered at all, and what they did. */
export function noteOnUnseen(
  rejecting: Rejecting,
  { approved, answered, unruly, rejectedToo, neverSeen, rejected, matched, rules }: Unseen,
): string {
  const within = approved - unruly - rejectedToo;
  const share = `${((100 * within) / approved).toFixed(1)} %`;
  const bound = `Of those commands ${unruly} are such as no rule can allow and ${rejectedToo} are word for word something that was rejected there too, so that whatever rules there are, more than ${within} (${share}) cannot be answered without a rejected match; of these nothing like ${neverSeen} was approved in the half that was learned from.`;
  return `Rules mined from one half of the coding tasks (at most ${rules}), where a person rejects ${rejecting} of an attack: on the other half they answer ${answered} of ${approved} commands that a person would approve, and ${matched} of ${rejected} that they rejected. ${bound}`;
}
