/** The words a policy answer is made of, and which of two answers is the stricter one. */

/**
 * What the policy says, from the most to the least permissive: `safe` (built-in read-only), `covered`
 * (every part covered by a rule), `new` (a rule could cover it), `ask` (always asks), `deny` (never runs).
 */
export type Verdict = "safe" | "covered" | "new" | "ask" | "deny";

/**
 * What an action does beyond the workspace: `leaves` sends something to another machine or changes something there,
 * `final` destroys what nothing here can bring back. Whatever has a class asks at least.
 */
export type VerdictClass = "leaves" | "final";

/**
 * The verdict of one part of a command, why, and the id of the rule that decided it if one did. `source` names the
 * line of the grammar or the table that the reason comes from.
 */
export type UnitVerdict = {
  text: string;
  verdict: Verdict;
  reason: string;
  rule?: string;
  class?: VerdictClass;
  source?: string;
};

/** The verdict of a whole command (the worst of its units) with the units in source order. */
export type ShellVerdict = { verdict: Verdict; units: UnitVerdict[] };

const severity: Record<Verdict, number> = { safe: 0, covered: 1, new: 2, ask: 3, deny: 4 };

/** Whether `a` is stricter than `b`. */
export function isStricter(a: Verdict, b: Verdict): boolean {
  return severity[a] > severity[b];
}

/** The strictest of the given verdicts; `ask` for an empty list, because nothing judged is nothing known. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((worst, each) => (isStricter(each, worst) ? each : worst), verdicts[0] ?? "ask");
}
