/** Which of two verdicts is the stricter one, and how loudly the card of one has to warn. */
import type { Risk, Verdict, VerdictName } from "../../shared/contract/decisions.ts";

/** The verdict of one part of a command, why, and the id of the rule that decided it if one did. */
export type UnitVerdict = Verdict["units"][number];

const severity: Record<VerdictName, number> = { safe: 0, covered: 1, new: 2, ask: 3, deny: 4 };

/** Whether `a` is stricter than `b`. */
export function isStricter(a: VerdictName, b: VerdictName): boolean {
  return severity[a] > severity[b];
}

/** The strictest of the given verdicts; `ask` for an empty list, because nothing judged is nothing known. */
export function worstVerdict(verdicts: readonly VerdictName[]): VerdictName {
  return verdicts.reduce((worst, each) => (isStricter(each, worst) ? each : worst), verdicts[0] ?? "ask");
}

/** `safe` and `covered` are low, `new` is medium, `ask` and `deny` are high. */
export function riskOf(verdict: VerdictName): Risk {
  if (verdict === "safe" || verdict === "covered") return "low";
  return verdict === "new" ? "medium" : "high";
}
