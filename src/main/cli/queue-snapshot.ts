/** What the console shows at this moment: its threads and everything that waits. */
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import type { Client } from "../../shared/wire/client.ts";

/** @throws ContractError when the console hangs up before all of it came. */
export async function takeSnapshot(
  client: Client,
): Promise<{ threads: ThreadSummary[]; approvals: Approval[] }> {
  const threads: ThreadSummary[] = [];
  const approvals: Approval[] = [];
  for await (const item of client.watch("console.watch", {})) {
    if (item.kind === "threads") threads.push(...item.threads);
    if (item.kind === "approvals") approvals.push(...item.approvals);
    if (item.kind === "ready") break;
  }
  return { threads, approvals: approvals.filter(({ status }) => status === "pending") };
}
