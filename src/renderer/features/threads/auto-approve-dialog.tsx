/** Says what turning on auto-approve will do to what already waits, before it does it. */
import { useMemo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useApprovals } from "../../app/stores/approvals-store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { setAutoApprove, useAutoApproveQuestion } from "./auto-approve.ts";
import { strings } from "./strings.ts";

export function AutoApproveDialog() {
  const threadId = useAutoApproveQuestion((state) => state.threadId);
  const pending = useApprovals((state) => state.pending);
  const waiting = useMemo(() => pending.filter((one) => one.threadId === threadId), [pending, threadId]);
  const coverable = waiting.filter(isCoverable).length;
  const close = () => useAutoApproveQuestion.setState({ threadId: undefined });
  const { auto } = strings;
  return (
    <Dialog
      open={threadId !== undefined}
      onClose={close}
      title={auto.title}
      description={auto.text}
      actions={
        threadId && (
          <>
            <Button onClick={close}>{strings.cancel}</Button>
            <Button onClick={() => void setAutoApprove(threadId, true, false)}>{auto.fromNow}</Button>
            <Button look="primary" onClick={() => void setAutoApprove(threadId, true, true)}>
              {auto.all}
            </Button>
          </>
        )
      }
    >
      {waiting.length > 0 && <p>{auto.waiting(coverable, waiting.length - coverable)}</p>}
    </Dialog>
  );
}

/** What the host will let through; the host decides, this only says it beforehand. */
function isCoverable(approval: Approval): boolean {
  const { verdict } = approval.verdict;
  return (
    verdict !== "ask" &&
    verdict !== "deny" &&
    approval.kind === "tool" &&
    approval.allowedDecisions.includes("approve")
  );
}
