/** What a dialog decides, as a list: it counts only once all of it was on the screen, as it stands. */
import { type ReactNode, useRef } from "react";
import { manyKey } from "./decision-gate.ts";
import { scrollToUnread } from "./lead-to-card.ts";
import { untilRead } from "./read-gauge.ts";
import { useIsRead, useReadGauge } from "./use-read-gauge.ts";

type ReadListProps = { digest: string; className?: string; children: ReactNode };

/** Draws around its rows, each of which is a `[data-piece]`. @param digest changes with the list, to be looked at anew. */
export function ReadList({ digest, className, children }: ReadListProps) {
  const element = useRef<HTMLDivElement>(null);
  useReadGauge(manyKey, digest, element);
  return (
    <div ref={element} className={className}>
      {children}
    </div>
  );
}

/** Whether the list was read, and what acts only then: before that it leads to what was not seen. */
export function useReadList(digest: string) {
  const read = useIsRead(manyKey, digest);
  const acting = useRef(false);
  // A press while another one waits for a glance, or for its answer, is that one.
  const onceRead = async (act: () => void | Promise<void>) => {
    if (acting.current) return;
    acting.current = true;
    try {
      if (await untilRead(manyKey, digest)) await act();
      else scrollToUnread(manyKey);
    } finally {
      acting.current = false;
    }
  };
  return { read, onceRead };
}
