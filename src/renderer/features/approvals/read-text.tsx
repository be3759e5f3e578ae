/** A text that decides what happens, exactly and in full, in parts that can be read one by one. */
import { useMemo } from "react";
import { cx } from "../../ui/class-names.ts";
import { revealInPieces } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";
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
};

export function ReadText({ readKey, digest, lines, prose = false, name }: ReadTextProps) {
  // What is misleading is found in the whole text: a letter of another alphabet is only one beside Latin ones.
  const revealed = useMemo(() => revealInPieces(lines.map(({ text }) => text)), [lines]);
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
      draw={(from, to) => (
        <Part
          className={prose ? "block whitespace-break-spaces [overflow-wrap:anywhere]" : "code-text block"}
        >
          {lines.slice(from, to).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity than its place
            <span key={from + index}>
              {line.startsLine && index > 0 && "\n"}
              <RevealedText parts={revealed[from + index] ?? []} inProse={prose} />
            </span>
          ))}
        </Part>
      )}
    />
  );
}
