/** The policy for shell commands: one pure function from a command and its surroundings to a verdict with reasons. */
import { collectUnits } from "./collect-units.ts";
import { findTextProblems, maxUnits } from "./command-text.ts";
import { mentionsOwnData, scanRawText } from "./deny-scan.ts";
import { findWordDenial, judgeUnit } from "./judge-unit.ts";
import type { ShellContext } from "./shell-context.ts";
import type { ShellUnit } from "./shell-unit.ts";
import { type ShellVerdict, type UnitVerdict, worstVerdict } from "./verdict.ts";

/** Longest text that is still parsed; beyond it only the deny scan of the raw text looks. */
const maxParsedLength = 64 * 1024;

/** Beyond the limit each part is still looked at for what never runs, but the answer is at best `ask`. */
function judgeCrowd(command: string, units: readonly ShellUnit[], context: ShellContext): UnitVerdict[] {
  const reason = `The command has more than ${maxUnits} parts.`;
  const denied = units.flatMap((unit): UnitVerdict[] => {
    const denial = findWordDenial(unit, { ...context, resolvePath: undefined });
    return denial === undefined ? [] : [{ text: unit.text, verdict: "deny", reason: denial }];
  });
  return [{ text: command, verdict: "ask", reason }, ...denied];
}

function judgeUnits(command: string, context: ShellContext): UnitVerdict[] {
  if (command.length > maxParsedLength) return [];
  const units = collectUnits(command, context);
  const judged = units.slice(0, maxUnits).map((unit) => judgeUnit(unit, context));
  const verdicts = judged.map((each) => each.unit);
  const crowded = units.length > maxUnits;
  if (crowded) verdicts.push(...judgeCrowd(command, units.slice(maxUnits), context));
  if (mentionsOwnData(command, context) && (crowded || judged.some((each) => !each.readOnly))) {
    const reason = "It names this app's own records in a command that does more than read.";
    verdicts.unshift({ text: command, verdict: "deny", reason });
  }
  return verdicts;
}

/**
 * Judges a shell command. Deterministic, offline and total: whatever cannot be read asks, and nothing that asks
 * hides something that never runs.
 *
 * @param command the exact text that bash would be given
 */
export function judgeCommand(command: string, context: ShellContext): ShellVerdict {
  const whole = (verdict: "ask" | "deny", reason: string): UnitVerdict => ({
    text: command,
    verdict,
    reason,
  });
  const units: UnitVerdict[] = findTextProblems(command).map((problem) => whole("ask", problem));
  const denial = scanRawText(command, context);
  if (denial !== undefined) units.push(whole("deny", denial));
  if (context.platform === "powershell") {
    units.push(whole("ask", "PowerShell commands cannot be read here, so each one asks."));
  } else {
    units.push(...judgeUnits(command, context));
  }
  if (units.length === 0) units.push(whole("ask", "The command holds nothing to run."));
  return { verdict: worstVerdict(units.map((unit) => unit.verdict)), units };
}
