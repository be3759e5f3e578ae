/** Where the current row stands among all of them, with the keys and buttons that go on from there. */
import { ChevronDown, ChevronUp } from "lucide-react";
import { IconButton } from "../../ui/button.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { moveCurrent, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

export function PlaceInQueue() {
  const place = usePlaceInQueue();
  return (
    <span className="ml-auto flex min-h-6 shrink-0 items-center gap-1.5 text-sm text-ink-3 tabular-nums max-wide:hidden">
      {place}
      <span aria-hidden className="flex gap-1">
        <Kbd keys="k" />
        <Kbd keys="j" />
      </span>
    </span>
  );
}

/** Such as "2 of 40"; nothing while no row is the current one. */
export function usePlaceInQueue(): string | undefined {
  return useQueue(({ order, currentId }) => {
    const at = currentId === undefined ? -1 : order.indexOf(currentId);
    return at < 0 ? undefined : strings.placeOf(at + 1, order.length);
  });
}

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
