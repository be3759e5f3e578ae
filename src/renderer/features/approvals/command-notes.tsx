/** The worst reasons of a command of several lines, each to be drawn beside the line that it is about. */
import type { ReactNode } from "react";
import type { Note } from "./place-reasons.ts";
import { strings } from "./strings.ts";
import { ReasonRow } from "./unit-chips.tsx";

/** @returns what stands beside each part of the text, by its number. */
export function drawNotes(notes: readonly Note[]): ReadonlyMap<number, ReactNode> {
  const beside = Map.groupBy(notes, ({ part }) => part);
  return new Map([...beside].map(([part, several]) => [part, <LineNotes key={part} notes={several} />]));
}

/** Not selected with the command, which is copied as it runs. */
function LineNotes({ notes }: { notes: readonly Note[] }) {
  return (
    <div
      role="note"
      aria-label={strings.whyLineAsks(notes[0]?.line ?? 1)}
      className="flex flex-col gap-1 rounded-sm bg-surface px-2 py-1 font-sans text-sm select-none"
    >
      {notes.map(({ reason, rank, alsoOn }) => (
        <div key={rank}>
          <ReasonRow reason={reason} alone whole={false} />
          {alsoOn.length > 0 && <p className="pl-5 text-ink-3">{strings.alsoOnLines(alsoOn)}</p>}
        </div>
      ))}
    </div>
  );
}
