/** Opens the question before many are decided at once. */
import type { ApprovalId } from "../../../shared/ids.ts";
import { useQueue } from "./queue-store.ts";

export function askBulk(verb: "approve" | "reject", ids: readonly ApprovalId[]): void {
  useQueue.setState({ bulk: { verb, ids } });
}
