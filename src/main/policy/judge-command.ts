/** The policy for shell commands: one pure function from a command and its surroundings to a verdict with reasons. */
import { collectScripts } from "./collect-units.ts";
import { findTextProblems, maxCommandBytes, maxUnits } from "./command-text.ts";
import { mentionsOwnData, scanRawText } from "./deny-scan.ts";
import { findWordDenial, judgeUnit } from "./judge-unit.ts";
import { findDoubt, type ReadScript } from "./plain/agreement.ts";
import { judgePipeline } from "./powershell/judge-pipeline.ts";
import { scanPowerShell } from "./powershell/never-runs.ts";
import { rememberPaths } from "./remembered-paths.ts";
import type { ShellContext } from "./shell-context.ts";
import type { ShellUnit } from "./shell-unit.ts";
import { type ShellVerdict, type UnitVerdict, worstVerdict } from "./verdict.ts";

/** Linux takes no argument of more bytes; what nobody can start needs no scan, which takes time with its length. */
const longestStarted = 128 * 1024;

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
  const { units, scripts } = collectScripts(command, context);
  const judged = units.slice(0, maxUnits).map((unit) => judgeUnit(unit, context));
  const verdicts = dropRepeats(judged.map((each) => each.unit));
  const crowded = units.length > maxUnits;
  if (crowded) verdicts.push(...judgeCrowd(command, units.slice(maxUnits), context));
  if (mentionsOwnData(command, context) && (crowded || judged.some((each) => !each.readOnly))) {
    const reason = "It names this app's own records in a command that does more than read.";
    verdicts.unshift({ text: command, verdict: "deny", reason });
  }
  const worst = worstVerdict(verdicts.map((each) => each.verdict));
  if (worst !== "ask" && worst !== "deny") verdicts.push(...findDoubts(scripts));
  return verdicts;
}

/** A loop's body is judged once a round; what is said twice of the same text is told once. */
function dropRepeats(verdicts: readonly UnitVerdict[]): UnitVerdict[] {
  const told = new Set<string>();
  return verdicts.filter((each) => {
    const key = JSON.stringify([each.text, each.verdict, each.reason, each.rule]);
    return told.size < told.add(key).size;
  });
}

/** What would run or could be covered is confirmed by readers that share no code with the one that judged it. */
function findDoubts(scripts: readonly ReadScript[]): UnitVerdict[] {
  for (const script of scripts) {
    const doubt = findDoubt(script);
    if (doubt !== undefined)
      return [{ text: script.text, verdict: "ask", reason: doubt.reason, source: `grammar:${doubt.line}` }];
  }
  return [];
}

/** Everything that parsing tells; beyond the limit only the scan of the raw text has looked, and the length asks. */
function judgeParts(command: string, context: ShellContext): UnitVerdict[] {
  if (Buffer.byteLength(command, "utf8") > maxCommandBytes) return [];
  try {
    return judgeUnits(command, { ...context, resolvePath: rememberPaths(context.resolvePath) });
  } catch {
    // Nesting that no reader survives is no reason to let the caller fall.
    return [{ text: command, verdict: "ask", reason: "The command is too complicated to be judged." }];
  }
}

/**
 * Judges a shell command. Deterministic, offline and total: whatever cannot be read asks, and nothing that asks
 * hides something that never runs.
 *
 * @param command the exact text that the shell would be given
 */
export function judgeCommand(command: string, context: ShellContext): ShellVerdict {
  const whole = (verdict: "ask" | "deny", reason: string): UnitVerdict => ({
    text: command,
    verdict,
    reason,
  });
  if (command.length > longestStarted)
    return {
      verdict: "deny",
      units: [whole("deny", "No system starts a command this long. Put what it holds into a file.")],
    };
  const units: UnitVerdict[] = findTextProblems(command).map((problem) => whole("ask", problem));
  const denial =
    scanRawText(command, context) ??
    (context.shell === "powershell" ? scanPowerShell(command, context) : undefined);
  if (denial !== undefined) units.push(whole("deny", denial));
  if (context.shell === "powershell") {
    units.push(...judgePipeline(command, context));
  } else {
    units.push(...judgeParts(command, context));
  }
  if (units.length === 0) units.push(whole("ask", "The command holds nothing to run."));
  return { verdict: worstVerdict(units.map((unit) => unit.verdict)), units };
}
