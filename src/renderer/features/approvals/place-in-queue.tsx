/** Where the current row stands among all of them, with the keys that go on from there. */
import { Kbd } from "../../ui/kbd.tsx";
import { useQueue } from "./queue-store.ts";
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
