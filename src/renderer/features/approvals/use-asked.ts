/** Asks the host about a card that stays, and knows the answer for as long as the card is drawn as it was then. */
import { useEffect, useState } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../../shared/ids.ts";

type Asking<T> = {
  wanted: boolean;
  /** The same function at every render. */
  ask: (id: ApprovalId) => Promise<T>;
  /** A card that is gone sooner asks nothing. */
  passingMs: number;
};

/** Nothing while it is being asked, and nothing where there was no answer: what is missing claims nothing. */
export function useAsked<T>(
  { id, digest }: Approval,
  { wanted, ask, passingMs }: Asking<T>,
): [answer: T | undefined, forget: () => void] {
  const [state, setState] = useState<{ digest: string; answer: T }>();
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    const timer = setTimeout(() => {
      ask(id)
        .then((answer) => !gone && setState({ digest, answer }))
        .catch(() => {});
    }, passingMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, ask, passingMs, id, digest]);
  return [state?.digest === digest ? state.answer : undefined, () => setState(undefined)];
}
