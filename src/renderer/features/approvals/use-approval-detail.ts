/** Reads what is too large for the list (arguments, diff, schema) when a card needs it. */
import { useEffect, useState } from "react";
import type { Approval, ApprovalDetail } from "../../../shared/contract/approvals.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { describeError } from "../../base/words.ts";

const scrollPastMs = 120;

type DetailState = { detail?: ApprovalDetail; problem?: string; reload: () => void };

/**
 * @param wanted nothing is asked of the host until this is true, and then only when the card stays on screen a moment.
 * When the host answers with a newer state of the approval, the list gets it as well.
 */
export function useApprovalDetail(approval: Approval, wanted: boolean): DetailState {
  const [state, setState] = useState<{ key: string; detail?: ApprovalDetail; problem?: string }>();
  const [attempt, setAttempt] = useState(0);
  const { id, digest } = approval;
  const key = `${id}:${digest}:${attempt}`;

  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    const timer = setTimeout(async () => {
      try {
        const detail = await client().call("approvals.get", { id });
        if (gone) return;
        setState({ key, detail });
        if (detail.approval.digest !== digest) useApprovals.getState().change([detail.approval]);
      } catch (error) {
        if (!gone) setState({ key, problem: describeError(error) });
      }
    }, scrollPastMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, id, digest, key]);

  const current = state?.key === key ? state : undefined;
  return {
    detail: current?.detail ?? (state?.detail?.approval.id === id ? state.detail : undefined),
    problem: current?.problem,
    reload: () => setAttempt((count) => count + 1),
  };
}
