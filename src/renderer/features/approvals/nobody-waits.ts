/** Questions that can only be put away: nobody waits for the answer, or nobody knows whether one arrived. */
import type { Approval } from "../../../shared/contract/approvals.ts";

export const nobodyWaits = ({ subject, server }: Pick<Approval, "subject" | "server">): boolean =>
  (subject.kind === "terminal" && subject.gone) || server?.standing.kind === "unknown";
