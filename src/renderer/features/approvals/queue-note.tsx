/**
 * Says what the last press did instead of deciding. It has a place of its own below the list or the decisions, kept free for it: what lay
 * over a card would hide a line of it, and what opened in a card would move its buttons.
 */
import type { ReactNode } from "react";
import { cx } from "../../ui/class-names.ts";
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

/**
 * @param className the height that is kept free for it.
 * @param children what stands there as long as nothing is to be said.
 */
export function QueueNote({ className, children }: { className: string; children?: ReactNode }) {
  const text = useQueue(({ holding, confirming, note, order }) => {
    const stands = (key: string | undefined) => key !== undefined && order.includes(key);
    if (stands(holding)) return strings.keepHolding;
    if (stands(confirming)) return strings.pressAgain;
    return stands(note?.key) ? note?.text : undefined;
  });
  return (
    <div className={cx("shrink-0", className)}>
      <p role="status" className="text-sm">
        {text && <span className="block rounded-md bg-accent-soft px-2 font-medium text-ink">{text}</span>}
      </p>
      {!text && children}
    </div>
  );
}
