/** What becomes of a call where no person is there to ask. */
import type { ShellKind } from "../../shared/command-shell.ts";
import type { Verdict } from "../../shared/contract/decisions.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import { parseCommandRule } from "../policy/command-rule.ts";
import type { GatedCall, Route } from "./call.ts";

/** What happens to a call that would need a person where there is none. */
export type Unattended = {
  /** Asks are put into the queue instead of being refused. */
  park: boolean;
  allowWrites: boolean;
  /** Token prefixes of the only commands that may run; empty refuses every command. */
  shellAllowList: string[][];
};

/** Nobody is there: what neither a rule nor an option allows is refused, in words the model can act on. */
export function withoutPerson(
  call: GatedCall,
  route: Route,
  unattended: Unattended,
  shell: ShellKind,
): Route {
  if (route.kind === "free" || route.kind === "refuse" || route.kind === "unable") return route;
  const { verdict, cwd, face, width } = route;
  const { park, allowWrites, shellAllowList } = unattended;
  const byOption = { kind: "run" as const, verdict, by: { kind: "unattended" as const }, cwd, face, width };
  const always = route.kind === "ask" && route.always;
  if (always) {
    // An agent that asks about this always does not take an option for the answer.
  } else if (kindOf(call.tool) === "command") {
    if (route.kind === "run" && route.by.kind === "rule") return route;
    if (verdict.verdict !== "ask" && verdict.units.every((unit) => isListed(unit, shellAllowList, shell)))
      return byOption;
  } else {
    if (route.kind === "run") return route;
    if (allowWrites && kindOf(call.tool) === "change" && verdict.verdict === "new") return byOption;
  }
  if (park && route.kind === "ask") return route;
  return { kind: "refuse", verdict, cwd, message: unattendedRefusal(call.tool, shellAllowList) };
}

/** Covered by a rule, or a plain command that begins with a listed prefix, token by token. */
function isListed(unit: Verdict["units"][number], list: string[][], shell: ShellKind): boolean {
  if (unit.verdict === "ask" || unit.verdict === "deny") return false;
  if (unit.verdict === "covered") return true;
  const parsed = parseCommandRule(unit.text, shell);
  return "tokens" in parsed && list.some((prefix) => prefix.every((token, i) => parsed.tokens[i] === token));
}

function unattendedRefusal(tool: string, shellAllowList: string[][]): string {
  const listed = shellAllowList.map((tokens) => tokens.join(" ")).join(", ");
  if (kindOf(tool) === "command")
    return listed === ""
      ? "Refused: commands are switched off in this run. Work with the file tools, or report what you would have run."
      : `Refused: nobody is there to approve this command. Only these run here: ${listed}. Use one of them, or report what you would have run.`;
  if (kindOf(tool) === "change")
    return "Refused: files are not changed in this run. Report the change you would make instead.";
  return `Refused: this ${tool} call would need a person, and none is there. Go on without it and say so in your report.`;
}
