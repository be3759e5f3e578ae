/** Turns a verdict into the risk level that the approval queue sorts and colours by. */
import type { Verdict } from "./verdict.ts";

/** How loudly an approval card has to warn. */
export type Risk = "low" | "medium" | "high";

/** `safe` and `covered` are low, `new` is medium, `ask` and `deny` are high. */
export function riskOf(verdict: Verdict): Risk {
  if (verdict === "safe" || verdict === "covered") return "low";
  return verdict === "new" ? "medium" : "high";
}
