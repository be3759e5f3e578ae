/**
 * Keeps new cards from moving what a person is looking at: they wait above until they are asked for. What came back by
 * an undo is not new.
 */
import { useEffect, useMemo, useState } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { Button } from "../../ui/button.tsx";
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

export function NewAbove({ held, onRelease }: { held: number; onRelease: () => void }) {
  if (held === 0) return null;
  return (
    <div role="status" className="absolute inset-x-0 top-1 z-10 flex justify-center">
      <Button small look="primary" className="rounded-full shadow-pop" onClick={onRelease}>
        {strings.newAbove(held)}
      </Button>
    </div>
  );
}

/**
 * While a person is looking, a new card is let in only below all the others; the rest are counted in `held`.
 * @returns the cards to show, how many are held back, `release` to let them in, and `watch`, which goes on the element
 * around the cards and notes whether the pointer or the focus is there.
 */
export function useHeldBack(approvals: readonly Approval[]) {
  const { engaged, watch } = useEngaged();
  const [known, setKnown] = useState<ReadonlySet<ApprovalId>>(() => new Set(approvals.map((one) => one.id)));
  const restored = useQueue((state) => state.restored);
  const admitted = useMemo(
    () => (engaged ? admit(approvals, new Set([...known, ...restored])) : approvals),
    [approvals, known, restored, engaged],
  );
  useEffect(() => {
    setKnown((before) => {
      const same = before.size === admitted.length && admitted.every((one) => before.has(one.id));
      return same ? before : new Set(admitted.map((one) => one.id));
    });
  }, [admitted]);
  return {
    shown: admitted,
    held: approvals.length - admitted.length,
    release: () => setKnown(new Set(approvals.map((one) => one.id))),
    watch,
  };
}

function useEngaged() {
  const [pointer, setPointer] = useState(false);
  const [focus, setFocus] = useState(false);
  const watch = {
    onPointerEnter: () => setPointer(true),
    onPointerLeave: () => setPointer(false),
    onFocus: () => setFocus(true),
    onBlur: () => setFocus(false),
  };
  return { engaged: pointer || focus, watch };
}

/** Known cards and the new ones that come after the last known one. */
function admit(approvals: readonly Approval[], known: ReadonlySet<ApprovalId>): readonly Approval[] {
  const lastKnown = approvals.findLastIndex((one) => known.has(one.id));
  if (approvals.every((one, index) => index > lastKnown || known.has(one.id))) return approvals;
  return approvals.filter((one, index) => index > lastKnown || known.has(one.id));
}
