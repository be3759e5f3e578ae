/** Shows a command or path exactly, in full, with every misleading character pointed out. */
import { useMemo } from "react";
import { cx } from "../../ui/class-names.ts";
import { revealCharacters } from "./reveal-characters.ts";

export function ExactText({ text, className }: { text: string; className?: string }) {
  const parts = useMemo(() => revealCharacters(text), [text]);
  return (
    <code className={cx("code-text", className)}>
      {parts.map((part, index) =>
        part.hidden ? (
          <mark
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity than their place
            key={index}
            title={part.hidden.name}
            className="mx-px rounded-sm bg-bad-soft px-1 text-[0.85em] font-semibold text-bad"
          >
            {part.hidden.code} {part.hidden.name}
          </mark>
        ) : (
          part.text
        ),
      )}
    </code>
  );
}
