/** How far a command may reach that nobody is asked about, by what the policy said of it. */
import type { Verdict, Width } from "../../shared/contract/decisions.ts";

/** What only reads needs to write nothing; everything else is not confined yet. */
export function widthOf(verdict: Verdict): Width {
  return verdict.verdict === "safe" ? "read-only" : "outside";
}
