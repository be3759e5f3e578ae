/**
 * Draws words that others chose, such as an agent, a tool, a repository or a person elsewhere: set apart from the words
 * around them, so that they cannot turn, break or end a sentence of the console, and with misleading characters told.
 */
import { useMemo } from "react";
import { cx } from "./class-names.ts";
import { revealCharacters } from "./reveal-characters.ts";
import { RevealedText } from "./revealed-text.tsx";

type ForeignTextProps = {
  text: string;
  /** Keeps its line ends, as in a message of several lines; a name has one line, and its line ends are pointed out. */
  lines?: boolean;
  className?: string;
};

export function ForeignText({ text, lines = false, className }: ForeignTextProps) {
  const parts = useMemo(() => revealCharacters(text, { oneLine: !lines }), [text, lines]);
  return (
    <bdi className={cx("[overflow-wrap:anywhere]", lines && "whitespace-break-spaces", className)}>
      <RevealedText parts={parts} inProse />
    </bdi>
  );
}
