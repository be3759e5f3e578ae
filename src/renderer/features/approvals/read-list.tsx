/** A list of what is decided together: it counts only once all of it was on the screen, as it stands. */
import { type ReactNode, useRef } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { digestOfMany, manyKey } from "./decision-gate.ts";
import { scrollToUnread } from "./lead-to-card.ts";
import { untilRead } from "./read-gauge.ts";
import { useIsRead, useReadGauge } from "./use-read-gauge.ts";

/** Draws around its rows, each of which is a `[data-piece]`. */
export function ReadList({ listed, children }: { listed: readonly Approval[]; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  // Whatever changes the list makes it another one, to be looked at anew.
  useReadGauge(manyKey, digestOfMany(listed), element);
  return <div ref={element}>{children}</div>;
}

/** Whether the list was read, and what acts only then: before that it leads to what was not seen. */
export function useReadList(listed: readonly Approval[]) {
  const digest = digestOfMany(listed);
  const read = useIsRead(manyKey, digest);
  const onceRead = async (act: () => void) => {
    if (await untilRead(manyKey, digest)) act();
    else scrollToUnread(manyKey);
  };
  return { read, onceRead };
}
