/** Shows a command or path exactly, in full, with every misleading character pointed out. */
import { useMemo } from "react";
import { cx } from "./class-names.ts";
import { revealCharacters } from "./reveal-characters.ts";
import { RevealedText } from "./revealed-text.tsx";

type ExactTextProps = {
  text: string;
  className?: string;
  /** For a path or a name, of which a second line would look like another text: line ends are pointed out. */
  oneLine?: boolean;
  /** It is a command. */
  runs?: boolean;
};

export function ExactText({ text, className, oneLine = false, runs = false }: ExactTextProps) {
  const parts = useMemo(() => revealCharacters(text, { oneLine, exact: true, runs }), [text, oneLine, runs]);
  return (
    <code className={cx("code-text", className)}>
      <RevealedText parts={parts} />
    </code>
  );
}
