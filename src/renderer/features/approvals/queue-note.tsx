/**
 * Says what the last press did instead of deciding. It has a place of its own below the list, kept free for it: what lay
 * over a card would hide a line of it, and what opened in a card would move its buttons.
 */
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

export function QueueNote({ compact }: { compact: boolean }) {
  const text = useQueue(({ holding, confirming, note, order }) => {
    const stands = (key: string | undefined) => key !== undefined && order.includes(key);
    if (stands(holding)) return strings.keepHolding;
    if (stands(confirming)) return strings.pressAgain;
    return stands(note?.key) ? note?.text : undefined;
  });
  return (
    <div className={compact ? "h-12 shrink-0 px-2 py-1" : "h-12 shrink-0 px-4 py-1 sm:h-8"}>
      <p role="status" className="mx-auto max-w-[920px] text-sm">
        {text && <span className="block rounded-md bg-accent-soft px-2 font-medium text-ink">{text}</span>}
      </p>
    </div>
  );
}
