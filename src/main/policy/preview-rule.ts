/** Shows what a rule would have decided in the past, before a person saves it. */

import type { VerdictName } from "../../shared/contract/decisions.ts";
import { judgeCommand } from "./judge-command.ts";
import type { CommandRule, PolicyContext } from "./policy-context.ts";

/** One shell request of the past and what a person decided. */
export type PastRequest = { id: string; command: string; decision: "approved" | "rejected" | "other" };

/** How many requests the rule would have changed, and which. */
export type RulePreview = {
  wouldApprove: number;
  ofWhichRejected: number;
  wouldStop: number;
  approvedIds: string[];
  rejectedIds: string[];
};

function runs(verdict: VerdictName): boolean {
  return verdict === "safe" || verdict === "covered";
}

/** Judges each past request with and without the rule and counts those where the rule makes the difference. */
export function previewRule(
  rule: CommandRule,
  past: readonly PastRequest[],
  context: PolicyContext,
): RulePreview {
  const preview: RulePreview = {
    wouldApprove: 0,
    ofWhichRejected: 0,
    wouldStop: 0,
    approvedIds: [],
    rejectedIds: [],
  };
  const others = context.rules.filter((each) => each.id !== rule.id);
  for (const request of past) {
    const before = judgeCommand(request.command, { ...context, rules: others }).verdict;
    const after = judgeCommand(request.command, { ...context, rules: [...others, rule] }).verdict;
    if (runs(before) && !runs(after)) preview.wouldStop += 1;
    if (runs(before) || !runs(after)) continue;
    preview.wouldApprove += 1;
    preview.approvedIds.push(request.id);
    if (request.decision !== "rejected") continue;
    preview.ofWhichRejected += 1;
    preview.rejectedIds.push(request.id);
  }
  return preview;
}
