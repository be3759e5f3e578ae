/** One line above the approvals that says which key to try on the tour's request, and at the end where to go on. */
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ThreadId } from "../../../shared/ids.ts";
import { go } from "../../base/navigation.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { useUndo } from "../approvals/undo.ts";
import { createThreadInChosen } from "../threads/create-thread.ts";
import { strings } from "./strings.ts";
import { tourLine, useTour } from "./tour-store.ts";

export default function TourCoach({ threadId }: { threadId: ThreadId }) {
  const waiting = useApprovals(({ pending }) => pending.find((one) => one.threadId === threadId));
  const status = useThreads((state) => state.byId.get(threadId)?.status);
  const line = tourLine(waiting, status);
  const section = useRef<HTMLElement>(null);
  // What was pressed to come here, and the last card, take the focus with them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it is about went when this changed
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus();
  }, [line === "over"]);
  const mayTakeBack = useUndo(({ entries }) => entries.length > 0);
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={strings.tour}
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2 -outline-offset-2"
    >
      <p role="status" className="min-w-0 flex-1 basis-64">
        <WithKeys
          text={strings.tourLines[line] + (line === "between" && mayTakeBack ? strings.tourBack : "")}
        />
      </p>
      {line === "over" && (
        <div className="flex flex-wrap gap-2 max-wide:order-1 max-wide:w-full">
          <Button onClick={() => go({ view: "settings", id: "models" })}>{strings.connectModel}</Button>
          <Button onClick={() => void createThreadInChosen()}>{strings.openFolder}</Button>
        </div>
      )}
      <IconButton label={strings.endTour} onClick={() => useTour.setState({ threadId: undefined })}>
        <X />
      </IconButton>
    </section>
  );
}

/** Keys stand between backticks. */
function WithKeys({ text }: { text: string }) {
  return text.split("`").map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed sentence
      <Kbd key={at} keys={part} />
    ) : (
      part
    ),
  );
}
