/** Judges a command by the policy's own reading of it; what may run unasked still needs readers that confirm it. */
import type { Verdict } from "../../shared/contract/decisions.ts";
import { judgeAmongMoves } from "./among-moves.ts";
import { markLosingStatements } from "./beyond/losing-statements.ts";
import { saysWhatIsAsked } from "./bounded/plainly-asked.ts";
import { isBoundedBySandbox } from "./bounded/sandbox-effect.ts";
import { collectScripts } from "./collect-units.ts";
import { findTextProblems, maxCommandBytes, maxUnits } from "./command-text.ts";
import { mentionsOwnData, scanRawText } from "./deny-scan.ts";
import { findWordDenial, judgeUnit, partOf } from "./judge-unit.ts";
import type { ReadScript } from "./plain/agreement.ts";
import type { DiskLook, PolicyContext, ResolvePath } from "./policy-context.ts";
import { judgePipeline } from "./powershell/judge-pipeline.ts";
import { scanPowerShell } from "./powershell/never-runs.ts";
import type { ShellUnit } from "./shell-unit.ts";
import { type UnitVerdict, worstVerdict } from "./verdict.ts";

/** Why what was read may not run unasked, by readers that share no code with this one. */
export type Confirm = (scripts: readonly ReadScript[]) => UnitVerdict[];

/** Linux takes no argument of more bytes; what nobody can start needs no scan, which takes time with its length. */
const longestStarted = 128 * 1024;

/** Beyond the limit each part is still looked at for what never runs, but the answer is at best `ask`. */
function judgeCrowd(command: string, units: readonly ShellUnit[], context: PolicyContext): UnitVerdict[] {
  const reason = `The command has more than ${maxUnits} parts.`;
  const denied = units.flatMap((unit): UnitVerdict[] => {
    const denial = findWordDenial(unit, { ...context, resolvePath: undefined });
    return denial === undefined ? [] : [{ ...partOf(unit), verdict: "deny", reason: denial }];
  });
  return [{ text: command, verdict: "ask", reason }, ...denied];
}

function judgeUnits(command: string, context: PolicyContext, confirm: Confirm): UnitVerdict[] {
  const { units, scripts } = collectScripts(command, context);
  const counted = units.slice(0, maxUnits);
  const alone = counted.map((unit) => judgeUnit(unit, context));
  const judged = judgeAmongMoves(command, counted, alone, context);
  const verdicts = dropRepeats(judged.map((each) => each.unit));
  const crowded = units.length > maxUnits;
  if (crowded) verdicts.push(...judgeCrowd(command, units.slice(maxUnits), context));
  if (mentionsOwnData(command, context) && (crowded || judged.some((each) => !each.readOnly))) {
    const reason = "It names this app's own records in a command that does more than read.";
    verdicts.unshift({ text: command, verdict: "deny", reason });
  }
  const worst = worstVerdict(verdicts.map((each) => each.verdict));
  if (worst === "deny") return verdicts;
  if (worst !== "ask") return boundByText(command, [...verdicts, ...confirm(scripts)]);
  if (!isBoundedBySandbox({ verdict: worst, units: verdicts })) return verdicts;
  // That nobody can read it is known already; that it can be read in two ways is not.
  const doubts = confirm(scripts).filter(({ sandbox }) => sandbox !== "bounds");
  return boundByText(command, [...verdicts, ...doubts]);
}

/** What the whole text says plainly counts for each part of it that nobody can read. */
function boundByText(command: string, verdicts: UnitVerdict[]): UnitVerdict[] {
  const isAsked = verdicts.some(({ verdict }) => verdict === "ask") && saysWhatIsAsked(command);
  return isAsked ? verdicts.map(({ sandbox: _, ...each }) => each) : verdicts;
}

/** A loop's body is judged once a round; what is said twice of the same place is told once. */
function dropRepeats(verdicts: readonly UnitVerdict[]): UnitVerdict[] {
  const told = new Set<string>();
  return verdicts.filter((each) => {
    const key = JSON.stringify([each.text, each.at, each.verdict, each.reason, each.rule]);
    return told.size < told.add(key).size;
  });
}

/** Everything that parsing tells; beyond the limit only the scan of the raw text has looked, and the length asks. */
function judgeParts(command: string, context: PolicyContext, confirm: Confirm): UnitVerdict[] {
  if (Buffer.byteLength(command, "utf8") > maxCommandBytes) return [];
  try {
    const remembered = { resolvePath: rememberPaths(context.resolvePath), look: rememberKinds(context.look) };
    return judgeUnits(command, { ...context, ...remembered }, confirm);
  } catch {
    // Nesting that no reader survives is no reason to let the caller fall.
    return [{ text: command, verdict: "ask", reason: "The command is too complicated to be judged." }];
  }
}

/** What Git's bash hands to Windows' own programs is read as they would; there `//s` is how to write their `/s`. */
function scanAsWindows(command: string, context: PolicyContext): string | undefined {
  if (context.shell === "powershell") return scanPowerShell(command, context);
  if (context.paths.name !== "git-bash") return undefined;
  return scanPowerShell(command.replace(/(?<=\s)\/(?=\/[a-z](?:\s|$))/gi, ""), context);
}

/**
 * Judges a shell command without readers that confirm what it runs: enough to say that something always asks or never
 * runs, never enough to let it run.
 *
 * @param command the exact text that the shell would be given
 * @param confirm what others say against the reading of it; asked only when nothing else asks
 */
export function judgeUnconfirmed(
  command: string,
  context: PolicyContext,
  confirm: Confirm = () => [],
): Verdict {
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
  const denial = scanRawText(command, context) ?? scanAsWindows(command, context);
  if (denial !== undefined) units.push(whole("deny", denial));
  if (context.shell === "powershell") {
    units.push(...judgePipeline(command, context));
  } else {
    units.push(...judgeParts(command, context, confirm));
  }
  if (units.length === 0) units.push(whole("ask", "The command holds nothing to run."));
  return {
    verdict: worstVerdict(units.map((unit) => unit.verdict)),
    units: markLosingStatements(command, units),
  };
}

const maxPaths = 1_000;

/** The same resolver with a memory. Beyond the limit every path is unresolvable, which asks. */
function rememberPaths(resolve: ResolvePath | undefined): ResolvePath | undefined {
  if (resolve === undefined) return undefined;
  const known = new Map<string, ReturnType<ResolvePath>>();
  return (path) => {
    const remembered = known.get(path);
    if (remembered !== undefined) return remembered;
    if (known.size >= maxPaths) return "unresolvable";
    const resolved = resolve(path);
    known.set(path, resolved);
    return resolved;
  };
}

/** The host waits meanwhile: some 30 µs each. */
const maxLookedInto = 200;

/** The same look with a memory of what files are. Beyond the limit none is looked into, and each is `unknown`, which asks. */
function rememberKinds(look: DiskLook | undefined): DiskLook | undefined {
  if (look === undefined) return undefined;
  const known = new Map<string, ReturnType<DiskLook["kindOf"]>>();
  const kindOf: DiskLook["kindOf"] = (path) => {
    if (known.has(path)) return known.get(path);
    if (known.size >= maxLookedInto) return "unknown";
    const kind = look.kindOf(path);
    known.set(path, kind);
    return kind;
  };
  return { ...look, kindOf };
}
