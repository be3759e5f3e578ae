/** The shape of a thread's standing: each differs in outline, so that no colour is needed to tell them apart. */
import type { ReactNode } from "react";
import { cx } from "../../ui/class-names.ts";
import { LineShape } from "../../ui/line-shape.tsx";
import type { StandingShape } from "./standing.ts";

const outlines: Record<StandingShape, ReactNode> = {
  // The agent has signed; the person's stroke is begun and stands open.
  waits: <path d="M2 13.5h12M3.8 10.6 6.6 3M8.8 10.6l.9-2.45" />,
  failed: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" rx="2" />
      <path d="m5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4" />
    </>
  ),
  interrupted: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" rx="2" />
      <path d="M6.3 5.8v4.4M9.7 5.8v4.4" />
    </>
  ),
  works: (
    <>
      <path d="M8 2.5A5.5 5.5 0 1 1 2.5 8" />
      <circle cx="8" cy="8" r="1.5" fill="currentColor" stroke="none" />
    </>
  ),
  finished: (
    <>
      <path
        fillRule="evenodd"
        fill="currentColor"
        stroke="none"
        d="M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2ZM11.3 5.9l-1-.9-3.2 3.6-1.3-1.3-1 1L7.2 10.600Z"
      />
    </>
  ),
  idle: <circle cx="8" cy="8" r="3" />,
};

const tones: Record<StandingShape, string> = {
  waits: "text-accent",
  failed: "text-bad",
  interrupted: "text-warn",
  works: "text-ink-2",
  finished: "text-ink-2",
  idle: "text-ink-3",
};

/** It has no name: whoever draws it says the state in words beside it. */
export function ThreadShape({ shape, className }: { shape: StandingShape; className?: string }) {
  return (
    <LineShape data-shape={shape} className={cx("forced-colors:text-[CanvasText]", tones[shape], className)}>
      {outlines[shape]}
    </LineShape>
  );
}
