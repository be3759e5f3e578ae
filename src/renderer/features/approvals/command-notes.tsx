/** The worst reasons of a command of several lines, each to be drawn beside the line that it is about. */
import type { LineNote } from "./numbered-line.tsx";
import type { Note } from "./place-reasons.ts";
import { subjectStrings } from "./subject-strings.ts";
import { lookOf, ReasonRow } from "./unit-chips.tsx";

/** @returns what stands beside each part of the text, by its number. */
export function drawNotes(notes: readonly Note[]): ReadonlyMap<number, LineNote> {
  const beside = Map.groupBy(notes, ({ part }) => part);
  return new Map([...beside].map(([part, [worst, ...others]]) => [part, drawNote(worst as Note, others)]));
}

/** Not selected with the command, which is copied as it runs. */
function drawNote(worst: Note, others: readonly Note[]): LineNote {
  const { icon: Icon, tone, tint } = lookOf(worst.reason);
  return {
    sign: <Icon className={`size-3.5 shrink-0 ${tone}`} />,
    tone,
    tint,
    words: (
      <div
        role="note"
        aria-label={subjectStrings.whyLineAsks(worst.line)}
        className="flex flex-col gap-1 font-sans text-sm select-none"
      >
        {[worst, ...others].map(({ reason, rank, alsoOn }) => (
          <div key={rank}>
            <ReasonRow reason={reason} alone whole={false} shape={rank !== worst.rank} />
            {alsoOn.length > 0 && <p className="text-ink-3">{subjectStrings.alsoOnLines(alsoOn)}</p>}
          </div>
        ))}
      </div>
    ),
  };
}
