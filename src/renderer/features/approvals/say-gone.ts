/** Tells a person that the card they were at does not wait any more, when it was not they who decided it here. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { showToast } from "../../ui/toast.tsx";
import { hasQueueFocus } from "./queue-focus.ts";
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

const longestAbout = 200;

/** @returns a function that stops it. */
export function startSayingGone(): () => void {
  return useApprovals.subscribe(({ byId }, before) => {
    if (byId === before.byId) return;
    for (const approval of before.byId.values())
      if (!byId.has(approval.id) && isPersonAt(approval))
        showToast(strings.notes.gone, aboutApproval(approval).slice(0, longestAbout));
  });
}

/** Who writes in a card, holds its key or has the focus of the queue on it looks at it. */
function isPersonAt({ id }: Approval): boolean {
  const { busy, forms, confirming, holding, currentId } = useQueue.getState();
  if (busy.has(id)) return false;
  return forms.has(id) || confirming === id || holding === id || (currentId === id && hasQueueFocus());
}
