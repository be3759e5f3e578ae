/** What an action does beyond the workspace, where that is why it asks. */
import type { Verdict, VerdictClass } from "../../../shared/contract/decisions.ts";

/** The class a card is headed with; what left cannot be called back, so that counts first. */
export function classOf(verdict: Verdict): VerdictClass | undefined {
  const classes = new Set(verdict.units.map((unit) => unit.class));
  return classes.has("leaves") ? "leaves" : classes.has("final") ? "final" : undefined;
}
