/** Shows a command or path exactly, in full, with every misleading character pointed out. */
import { useMemo } from "react";
import { cx } from "../../ui/class-names.ts";
import { revealCharacters } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";

export function ExactText({ text, className }: { text: string; className?: string }) {
  const parts = useMemo(() => revealCharacters(text), [text]);
  return (
    <code className={cx("code-text", className)}>
      <RevealedText parts={parts} />
    </code>
  );
}
