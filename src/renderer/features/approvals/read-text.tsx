/** A text that decides what happens, exactly and in full, in parts that can be read one by one. */
import { Fragment, useMemo } from "react";
import { cx } from "../../ui/class-names.ts";
import { revealInPieces } from "../../ui/reveal-characters.ts";
import { joinSpans, MarkedText, type Span, spansWithin } from "./mark-spans.tsx";
import { type LineNote, NumberedLine, roomForNotes } from "./numbered-line.tsx";
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
  /** It is a command. */
  runs?: boolean;
  /** All that the card is about, in words. */
  lead?: boolean;
  /** Tells it from another text on the same card. */
  name?: string;
  /** Of a command: its lines have numbers, and these stand beside them, by the number of the part that is the line. */
  notes?: ReadonlyMap<number, LineNote>;
  /** What of the whole text is marked. */
  marks?: readonly Span[];
};

export function ReadText({
  readKey,
  digest,
  lines,
  prose = false,
  runs = false,
  lead = false,
  name,
  notes,
  marks,
}: ReadTextProps) {
  // What is misleading is found in the whole text: a letter of another alphabet is only one beside Latin ones.
  const revealed = useMemo(
    () =>
      revealInPieces(
        lines.map(({ text }) => text),
        { exact: !prose, runs },
      ),
    [lines, prose, runs],
  );
  const marksOf = useMemo(() => marksOfLines(lines, marks ?? []), [lines, marks]);
  const Part = prose ? "bdi" : "code";
  const numbers = useMemo(
    () =>
      notes && lines.some(({ startsLine }, part) => startsLine && part > 0) ? numberLines(lines) : undefined,
    [lines, notes],
  );
  const unit = lines.every(({ startsLine }) => startsLine) ? "lines" : "parts";
  return (
    <ReadParts
      readKey={readKey}
      digest={digest}
      count={lines.length}
      unit={unit}
      name={name}
      className={
        prose
          ? cx(quoted, lead ? "text-lg font-medium" : "text-base")
          : cx(subjectBox, notes && notes.size > 0 && roomForNotes)
      }
      draw={(from, to) =>
        rowsOf(from, to, numbers).map(([first, end]) => {
          const drawn = (
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
          );
          if (numbers === undefined) return <Fragment key={first}>{drawn}</Fragment>;
          return (
            <NumberedLine key={first} number={numbers[first]} note={notes?.get(first)}>
              {drawn}
            </NumberedLine>
          );
        })
      }
    />
  );
}

/** The number of the line that each part begins; none for the rest of a long line. */
function numberLines(lines: readonly TextLine[]): (number | undefined)[] {
  let number = 0;
  return lines.map(({ startsLine }) => (startsLine ? ++number : undefined));
}

/** Cuts the parts from one number up to another into what is drawn as one: all, or where lines have numbers each line. */
function rowsOf(from: number, to: number, numbers?: readonly (number | undefined)[]): [number, number][] {
  const starts = [from];
  if (numbers)
    for (let part = from + 1; part < to; part += 1) if (numbers[part] !== undefined) starts.push(part);
  return starts.map((start, index) => [start, starts[index + 1] ?? to]);
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
