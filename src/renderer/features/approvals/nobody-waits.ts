/** Questions of agents in terminals that can only be put away, since no agent waits for the answer. */
import type { Approval } from "../../../shared/contract/approvals.ts";

export const nobodyWaits = ({ subject }: Pick<Approval, "subject">): boolean =>
  subject.kind === "terminal" && subject.gone;
