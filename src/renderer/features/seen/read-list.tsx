/** What a dialog decides, as a list: it counts only once all of it was on the screen, as it stands. */
import { type ReactNode, useRef } from "react";
import { useProgress } from "./read-progress.ts";
import { useReadGauge } from "./use-read-gauge.ts";

/** The list of what a dialog decides, as the gauge knows it: there is one dialog at a time. */
export const manyKey = "many";

type ReadListProps = { digest: string; className?: string; children: ReactNode };

/** Draws around its rows, each of which is a `[data-piece]`. @param digest changes with the list, to be looked at anew. */
export function ReadList({ digest, className, children }: ReadListProps) {
  const element = useRef<HTMLDivElement>(null);
  useReadGauge(manyKey, digest, element);
  return (
    <div ref={element} className={className}>
      {children}
      <Heard />
    </div>
  );
}

/** What came onto the screen since the person asked to read on, for who hears it. */
export function Heard() {
  const heard = useProgress((state) => state.heard);
  return (
    <p aria-live="polite" className="sr-only whitespace-pre-line">
      {heard}
    </p>
  );
}
