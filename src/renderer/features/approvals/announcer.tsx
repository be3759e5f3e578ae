/** Tells a screen reader, politely, when the number of waiting approvals changes. */
import { strings } from "../../base/strings.ts";

export function Announcer({ count, halted = 0 }: { count: number; halted?: number }) {
  return (
    <p aria-live="polite" className="sr-only">
      {strings.waiting(count, halted)}
    </p>
  );
}
