/** A small word or number with a tone; the word carries the meaning, the colour only helps. Its edge is seen where colours are forced. */
import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

export type Tone = "neutral" | "accent" | "ok" | "info" | "warn" | "bad";

const tones: Record<Tone, string> = {
  neutral: "bg-sunken text-ink-2",
  accent: "bg-accent text-on-accent",
  ok: "bg-ok-soft text-ok",
  info: "bg-info-soft text-info",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
};

export function Badge({
  tone = "neutral",
  children,
  className,
}: {
  tone?: Tone;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={cx(
        "inline-flex shrink-0 items-center gap-1 rounded-sm border border-transparent px-[5px] text-xs font-medium [&_svg]:size-3",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
