/** Whether a sandbox bounds what a command is asked about. Closed: of what is not known to be bounded it is not said. */
import type { SandboxEffect, Verdict } from "../../../shared/contract/decisions.ts";
import type { UnitVerdict } from "../verdict.ts";
import { isOpaque, reachesOut } from "./opaque-reasons.ts";

/** What a sandbox would do about one reason to ask; undefined where it does not help, or where nobody knows. */
export function effectOnReason(reason: string): SandboxEffect | undefined {
  if (isOpaque(reason)) return "bounds";
  return reason === reachesOut ? "refuses" : undefined;
}

/** About several reasons at once: one that a sandbox does not help against is enough, and so is none at all. */
export function effectOnAll(effects: readonly (SandboxEffect | undefined)[]): SandboxEffect | undefined {
  if (effects.length === 0 || effects.includes(undefined)) return undefined;
  return effects.includes("refuses") ? "refuses" : "bounds";
}

/** One part: it runs anyway, or the sandbox bounds every reason to ask about it. */
function isBounded({ verdict, class: beyond, sandbox }: UnitVerdict): boolean {
  if (beyond !== undefined || verdict === "deny") return false;
  return verdict === "safe" || verdict === "covered" || sandbox === "bounds";
}

/**
 * Whether a command may run unasked where it is confined: nothing that is known of it speaks against that but that nobody can
 * read it, or that no rule covers it. Never true of what would not be confined, such as a file tool or another shell's text.
 */
export function isBoundedBySandbox({ verdict, units }: Verdict): boolean {
  return verdict !== "deny" && units.length > 0 && units.every(isBounded);
}
