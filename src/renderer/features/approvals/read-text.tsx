/** A text that decides what happens, exactly and in full, in parts that can be read one by one. */
import { type ReactNode, useMemo } from "react";
import { cx } from "../../ui/class-names.ts";
import { revealInPieces } from "../../ui/reveal-characters.ts";
import { joinSpans, MarkedText, type Span, spansWithin } from "./mark-spans.tsx";
import { ReadParts } from "./read-parts.tsx";
import type { TextLine } from "./split-text.ts";

const subjectBox = "rounded-md border border-line bg-sunken px-2.5 py-2";
/** Lines that others wrote stand beside a bar, so that none of them can be taken for a line of the console. */
export const quoted = "border-l-2 border-line-strong pl-2.5";

type ReadTextProps = {
  readKey: string;
  digest: string;
  lines: readonly TextLine[];
  /** Words to a person rather than something that runs. */
  prose?: boolean;
  /** Tells it from another text on the same card. */
  name?: string;
  /** What stands beside a line that is drawn in one part, by the number of that part. */
  notes?: ReadonlyMap<number, ReactNode>;
  /** What of the whole text is marked. */
  marks?: readonly Span[];
};

export function ReadText({ readKey, digest, lines, prose = false, name, notes, marks }: ReadTextProps) {
  // What is misleading is found in the whole text: a letter of another alphabet is only one beside Latin ones.
  const revealed = useMemo(() => revealInPieces(lines.map(({ text }) => text)), [lines]);
  const marksOf = useMemo(() => marksOfLines(lines, marks ?? []), [lines, marks]);
  const Part = prose ? "bdi" : "code";
  const unit = lines.every(({ startsLine }) => startsLine) ? "lines" : "parts";
  return (
    <ReadParts
      readKey={readKey}
      digest={digest}
      count={lines.length}
      unit={unit}
      name={name}
      className={prose ? cx(quoted, "text-base") : subjectBox}
      draw={(from, to) =>
        stretchesOf(from, to, notes).map(([first, end]) => (
          <Beside key={first} note={notes?.get(first)}>
            <Part
              className={cx(
                "block min-w-0 flex-1",
                prose ? "whitespace-break-spaces [overflow-wrap:anywhere]" : "code-text",
              )}
            >
              {lines.slice(first, end).map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity than its place
                <span key={first + index}>
                  {line.startsLine && index > 0 && "\n"}
                  <MarkedText
                    parts={revealed[first + index] ?? []}
                    spans={marksOf[first + index] ?? []}
                    inProse={prose}
                  />
                  {/* At the end of a block an empty line is drawn only when something ends it. */}
                  {line.text === "" && first + index + 1 === end && end < lines.length && <br />}
                </span>
              ))}
            </Part>
          </Beside>
        ))
      }
    />
  );
}

/** For each line what of it is marked. */
function marksOfLines(lines: readonly TextLine[], marks: readonly Span[]): Span[][] {
  if (marks.length === 0) return [];
  const joined = joinSpans(marks);
  let from = 0;
  return lines.map(({ text, startsLine }, index) => {
    if (startsLine && index > 0) from += 1;
    const found = spansWithin(joined, from, text.length);
    from += text.length;
    return found;
  });
}

/** Cuts the parts from one number up to another, so that each that has a note stands by itself. */
function stretchesOf(from: number, to: number, notes?: ReadonlyMap<number, ReactNode>): [number, number][] {
  const starts = new Set([from]);
  for (const part of notes?.keys() ?? [])
    for (const start of [part, part + 1]) if (start > from && start < to) starts.add(start);
  const sorted = [...starts].sort((one, other) => one - other);
  return sorted.map((start, index) => [start, sorted[index + 1] ?? to]);
}

/** On a wide card the note stands at the right of its line, else below it. */
function Beside({ note, children }: { note: ReactNode; children: ReactNode }) {
  if (note === undefined) return children;
  return (
    <div className="flex flex-col gap-x-3 gap-y-1 @min-[760px]:flex-row @min-[760px]:items-start">
      {children}
      <div className="min-w-0 @min-[760px]:w-60 @min-[760px]:shrink-0">{note}</div>
    </div>
  );
}
