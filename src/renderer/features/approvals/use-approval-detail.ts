/** Reads what is too large for the list (arguments, diff, schema) when a card needs it. */
import type { Approval, ApprovalDetail } from "../../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useReading } from "../../base/use-reading.ts";

const scrollPastMs = 120;

type DetailState = { detail?: ApprovalDetail; problem?: string; reload: () => void };

/**
 * @param wanted nothing is asked of the host until this is true, and then only when the card stays on screen a moment.
 * When the host answers with a newer state of the approval, the list gets it as well.
 */
export function useApprovalDetail(approval: Approval, wanted: boolean): DetailState {
  const { id, digest } = approval;
  const { value, problem, busy, reload } = useReading(
    wanted ? `${id}:${digest}` : undefined,
    () => readDetail(id, digest),
    scrollPastMs,
  );
  return {
    detail: value?.approval.id === id ? value : undefined,
    problem: busy ? undefined : problem,
    reload,
  };
}

async function readDetail(id: ApprovalId, digest: string): Promise<ApprovalDetail> {
  const detail = await client().call("approvals.get", { id });
  if (detail.approval.digest !== digest) useApprovals.getState().change([detail.approval]);
  return detail;
}
