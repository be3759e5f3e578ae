/** Brings one approval before the person, whatever they were looking at. */
import type { ApprovalId } from "../../../shared/ids.ts";
import { go } from "../../base/navigation.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { noFilters, openCard, useQueue } from "./queue-store.ts";

/** Opens the queue, with the approval's card as the current one while it still waits. */
export function showApproval(id?: ApprovalId): void {
  go({ view: "queue" });
  if (id === undefined || !useApprovals.getState().byId.has(id)) return;
  useQueue.setState({ view: "all", filters: noFilters });
  openCard(id);
}
