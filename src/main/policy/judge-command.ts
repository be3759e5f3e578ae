/** The policy for shell commands: one pure function from a command and its surroundings to a verdict with reasons. */

import type { Verdict } from "../../shared/contract/decisions.ts";
import { judgeUnconfirmed } from "./judge-unconfirmed.ts";
import { findDoubt, type ReadScript } from "./plain/agreement.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { UnitVerdict } from "./verdict.ts";

/** What would run or could be covered is confirmed by readers that share no code with the one that judged it. */
function findDoubts(scripts: readonly ReadScript[]): UnitVerdict[] {
  for (const script of scripts) {
    const doubt = findDoubt(script);
    if (doubt !== undefined)
      return [
        {
          text: script.text,
          verdict: "ask",
          reason: doubt.reason,
          source: `grammar:${doubt.line}`,
          ...(doubt.isOpaque && { sandbox: "bounds" }),
        },
      ];
  }
  return [];
}

/**
 * Judges a shell command. Deterministic, offline and total: whatever cannot be read asks, and nothing that asks
 * hides something that never runs.
 *
 * @param command the exact text that the shell would be given
 */
export function judgeCommand(command: string, context: PolicyContext): Verdict {
  return judgeUnconfirmed(command, context, findDoubts);
}
