/** Brings one entry of the queue before the person, whatever they were looking at. */
import type { QueueEntry } from "../../../shared/contract/threads.ts";
import { go } from "../../base/navigation.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { haltedKey, haltedThreadOf } from "./halted.ts";
import { noFilters, openCard, showView, useQueue } from "./queue-store.ts";

/** Opens the queue, with the entry's card as the current one while it still waits. */
export function showEntry(entry?: QueueEntry): void {
  go({ view: "queue" });
  if (entry === undefined) return;
  const key = keyOf(entry);
  if (key === undefined) return;
  showView("all");
  useQueue.setState({ filters: noFilters });
  openCard(key);
}

/** Its row in the queue while it stands there. */
function keyOf(entry: QueueEntry): string | undefined {
  if ("approvalId" in entry)
    return useApprovals.getState().byId.has(entry.approvalId) ? entry.approvalId : undefined;
  const key = haltedKey(entry.haltedId);
  return haltedThreadOf(key) && key;
}
