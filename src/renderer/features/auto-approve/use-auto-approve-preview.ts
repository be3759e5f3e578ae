/** Asks the host what turning auto-approve on would do to what waits, and notices when that is not so any more. */
import { useMemo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useReading } from "../../base/use-reading.ts";
import { bulkStrings } from "../approvals/bulk-strings.ts";
import { mayDecideAmongMany } from "../approvals/decision-gate.ts";

type Preview = Output<"threads.previewAutoApprove">;

export type AutoApprovePreview = {
  /** What would be approved at once, as it is shown; only these may be confirmed. */
  passes: readonly Approval[];
  stays: readonly { approval: Approval; why: string }[];
  /** Approvals came, went or changed since the host was asked. */
  outdated: boolean;
};

export function useAutoApprovePreview(threadId: ThreadId): {
  preview?: AutoApprovePreview;
  problem?: string;
  reload: () => void;
} {
  const byId = useApprovals((state) => state.byId);
  const { value, problem, reload } = useReading(threadId, () =>
    client().call("threads.previewAutoApprove", { threadId }),
  );
  const preview = useMemo(() => value && joinPreview(value, threadId, byId), [value, threadId, byId]);
  return { preview, problem, reload };
}

/**
 * Joins the host's answer with the approvals as this window shows them. One that differs is not offered, and of what one
 * line does not tell in full only what was on the screen to its end is, as in every decision about many.
 */
function joinPreview(
  answer: Preview,
  threadId: ThreadId,
  byId: ReadonlyMap<string, Approval>,
): AutoApprovePreview {
  const passes: Approval[] = [];
  const stays: { approval: Approval; why: string }[] = [];
  for (const { id, digest } of answer.passes) {
    const approval = byId.get(id);
    // A shortened card has a digest of its own: it differs because it is not whole.
    if (!approval || (approval.digest !== digest && approval.leftOut === undefined)) continue;
    const why = mayDecideAmongMany(approval, "approve");
    if (why) stays.push({ approval, why: bulkStrings.whyStays[why] });
    else passes.push(approval);
  }
  const asked = stays.length + passes.length;
  for (const { id, why } of answer.stays) {
    const approval = byId.get(id);
    if (approval) stays.push({ approval, why });
  }
  const known = new Set([...passes, ...stays.map(({ approval }) => approval)].map(({ id }) => id));
  const unknown = [...byId.values()].some((one) => one.threadId === threadId && !known.has(one.id));
  const fewer = asked < answer.passes.length || stays.length + passes.length < asked + answer.stays.length;
  return { passes, stays, outdated: unknown || fewer };
}
