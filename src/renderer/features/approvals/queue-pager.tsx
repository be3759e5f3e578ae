/** Where the current card stands among all of them, and the ways to the one before and the next. */
import { ChevronDown, ChevronUp } from "lucide-react";
import { IconButton } from "../../ui/button.tsx";
import { usePlaceInQueue } from "./place-in-queue.tsx";
import { moveCurrent } from "./queue-store.ts";
import { strings } from "./strings.ts";

/** @param className the size of its buttons. */
export function QueuePager({ className }: { className?: string }) {
  const place = usePlaceInQueue();
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1 text-sm text-ink-3 tabular-nums">
      {place}
      <IconButton label={strings.previous} className={className} onClick={() => moveCurrent(-1)}>
        <ChevronUp />
      </IconButton>
      <IconButton label={strings.next} className={className} onClick={() => moveCurrent(1)}>
        <ChevronDown />
      </IconButton>
    </span>
  );
}
