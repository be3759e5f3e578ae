/** Finds the requests of the past that would not have been asked about where uncovered commands run confined. */
import { judgeCommand } from "../judge-command.ts";
import type { PolicyContext } from "../policy-context.ts";
import type { PastRequest } from "../preview-rule.ts";
import { isBoundedBySandbox } from "./sandbox-effect.ts";

/** The ids of those that are asked about as things are now, and that a sandbox bounds; none in an untrusted folder. */
export function findConfined(past: readonly PastRequest[], context: PolicyContext): string[] {
  if (!context.trusted) return [];
  return past.flatMap(({ id, command }) => {
    const verdict = judgeCommand(command, context);
    const isAsked = verdict.verdict === "ask" || verdict.verdict === "new";
    return isAsked && isBoundedBySandbox(verdict) ? [id] : [];
  });
}
