/** Gives one unit its verdict: what never runs, what always asks, what a rule covers, what is read-only. */

import type { SandboxEffect, VerdictName } from "../../shared/contract/decisions.ts";
import { oneLine, quote } from "../../shared/foreign-words.ts";
import { findBeyond } from "./beyond/find-beyond.ts";
import { opaque } from "./bounded/opaque-reasons.ts";
import { effectOnAll, effectOnReason } from "./bounded/sandbox-effect.ts";
import { writesOutside } from "./bounded/writes-outside.ts";
import { findDenial, isRawDisk } from "./deny-unit.ts";
import { isCrowded, judgeCrowdedWords, judgeNature } from "./judge-nature.ts";
import type { Nature } from "./nature.ts";
import { findObeyedOutput } from "./output-options.ts";
import type { PolicyContext, Scene } from "./policy-context.ts";
import { matchRules } from "./rule-match.ts";
import type { ShellUnit, UnitAssignment } from "./shell-unit.ts";
import type { ShellWord } from "./shell-word.ts";
import { programOf } from "./unit-name.ts";
import { judgeRedirects, namesOwnData, type PathFinding } from "./unit-paths.ts";
import { isStricter, type UnitVerdict } from "./verdict.ts";

/**
 * A unit's verdict, whether it is a read-only tool, whether it also writes nowhere, and the words a rule has to match.
 */
export type JudgedUnit = {
  unit: UnitVerdict;
  reads: boolean;
  readOnly: boolean;
  words: readonly ShellWord[];
};

/** Which part of the command a verdict is about. */
export function partOf({ text, at }: ShellUnit): Pick<UnitVerdict, "text" | "at"> {
  return at === undefined ? { text } : { text, at };
}

function findUnitDenial(unit: ShellUnit, scene: Scene): string | undefined {
  if (unit.denial !== undefined) return unit.denial;
  const disk = unit.redirects.some(
    ({ operator, target }) => operator !== "<" && isRawDisk(target?.value ?? ""),
  );
  if (disk) return "It writes to a raw disk.";
  const first = unit.words[0];
  if (first === undefined) return undefined;
  return findDenial(
    programOf(first.value),
    unit.words.slice(1).map((word) => word.value),
    scene,
  );
}

/**
 * For the part of a command that is too long to be judged in full: looks at the words of one unit alone.
 * @returns why it never runs, or `undefined` when its words do not say so.
 */
export function findWordDenial(unit: ShellUnit, context: PolicyContext): string | undefined {
  return findUnitDenial(unit, { context, cwds: unit.cwds });
}

/**
 * Judges one unit in every directory it may run in. What leaves this machine or cannot be undone asks, whatever else
 * is said for it: this is the one place that no rule gets past.
 */
export function judgeUnit(unit: ShellUnit, context: PolicyContext): JudgedUnit {
  const judged = judgeHere(unit, context);
  if (judged.unit.verdict === "safe") return judged;
  const words = judged.words.length > 0 && !isCrowded(unit) ? judged.words : unit.words;
  const beyond = findBeyond(words, { context, cwds: unit.cwds });
  if (beyond === undefined) return judged;
  const { sandbox: effect, ...known } = judged.unit;
  const asked = known.verdict === "ask" || known.verdict === "deny";
  const isRefused = beyond.class === "leaves" || effect === "refuses";
  const sandbox = isRefused ? ({ sandbox: "refuses" } as const) : {};
  const unitVerdict: UnitVerdict = asked
    ? { source: beyond.source, ...known, ...sandbox, class: beyond.class }
    : { ...partOf(unit), verdict: "ask", ...beyond, ...sandbox };
  return { ...judged, unit: unitVerdict };
}

/** The verdict that a unit's own nature, its paths and the rules give it. */
function judgeHere(unit: ShellUnit, context: PolicyContext): JudgedUnit {
  const scene: Scene = { context, cwds: unit.cwds };
  const crowded = isCrowded(unit);
  const nature = crowded ? judgeCrowdedWords(unit) : judgeNature(unit, scene);
  const redirects = crowded ? [] : judgeRedirects(unit, scene);
  const readOnly = nature.readOnly && !redirects.some((each) => each.write);
  const as = (verdict: VerdictName, reason: string, rule?: string, sandbox?: SandboxEffect): JudgedUnit => {
    const judged = { ...partOf(unit), verdict, reason, ...(rule && { rule }), ...(sandbox && { sandbox }) };
    return { unit: judged, reads: nature.readOnly, readOnly, words: nature.words };
  };
  const denial = findUnitDenial(unit, scene);
  if (denial !== undefined) return as("deny", denial);
  const ownData = crowded ? undefined : ownDataWrite(unit, nature, redirects, scene);
  if (ownData !== undefined) return as("deny", ownData);
  const feeds = unit.redirects.some(({ operator }) => operator.startsWith("<"));
  const shown = redirects.length === 0 && !feeds && unit.cwds.every((cwd) => cwd === context.workspace);
  const match = matchRules(nature.words, context, { shown, written: isAsWritten(unit, nature.words[0]) });
  if (match?.effect === "deny") return as("deny", `The rule "${oneLine(match.text)}" forbids it.`, match.id);
  const assignments = unit.assignments.map(findAssignmentProblem).filter((each) => each !== undefined);
  const files = redirects.filter((each) => each.floor === "ask");
  // Also what the person is not told, because another reason stands before it.
  const isOut = !crowded && writesOutside(unit, nature.words, scene);
  const bounded = effectOnAll([
    ...unit.problems.map(effectOnReason),
    ...assignments.map(({ because }) => effectOnReason(because)),
    ...files.map(({ reason }) => effectOnReason(reason)),
    nature.verdict === "safe" ? "bounds" : nature.sandbox,
    match?.effect === "ask" ? undefined : "bounds",
  ]);
  const effect = isOut ? "refuses" : bounded;
  const asked = unit.problems[0] ?? assignments[0]?.told ?? files[0]?.reason;
  if (asked !== undefined) return as("ask", asked, undefined, effect);
  if (nature.verdict === "ask") return as("ask", nature.reason, undefined, effect);
  if (match?.effect === "ask") return as("ask", `The rule "${oneLine(match.text)}" asks.`, match.id);
  const limited = redirects.find((each) => each.floor === "new");
  if (match !== undefined && nature.covered) {
    const written = limited?.reason ?? findObeyedOutput(nature.words.slice(match.tokens.length), scene);
    return written !== undefined
      ? as("new", written, undefined, effect)
      : as("covered", `Covered by the rule "${oneLine(match.text)}".`, match.id, needsMore(nature));
  }
  const floor = limited ?? redirects.find((each) => isStricter(each.floor, nature.verdict));
  if (nature.verdict === "safe" && floor !== undefined)
    return as("new", `${floor.reason} No rule covers it.`, undefined, effect);
  return as(nature.verdict, nature.reason, undefined, nature.verdict === "new" ? effect : undefined);
}

/** Whether the text of the unit is its words and nothing else, beginning with the name that rules know the program by. */
function isAsWritten(unit: ShellUnit, name: ShellWord | undefined): boolean {
  const { assignments, redirects, text, within } = unit;
  if (within === true || assignments.length > 0 || redirects.length > 0 || name === undefined) return false;
  return unit.words[0]?.value === name.value && text.startsWith(name.value);
}

/** Of what a rule covers only this is of use: that it cannot be done confined. */
const needsMore = ({ sandbox }: Nature) => (sandbox === "refuses" ? sandbox : undefined);

function ownDataWrite(
  unit: ShellUnit,
  nature: Nature,
  redirects: readonly PathFinding[],
  scene: Scene,
): string | undefined {
  const redirect = redirects.find((each) => each.floor === "deny");
  if (redirect !== undefined) return redirect.reason;
  const named = nature.readOnly ? undefined : unit.words.slice(1).find((word) => namesOwnData(word, scene));
  return named && `${quote(named.text)} belongs to this app's own records, which only the app may write.`;
}

const harmlessNames =
  /^(?:CI|DEBUG|NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|GO_ENV|MIX_ENV|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|RUST_BACKTRACE|RUST_LOG|LOG_LEVEL|VERBOSE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GIT_TERMINAL_PROMPT|HUSKY|PORT|NPM_CONFIG_LOGLEVEL|npm_config_loglevel)$/;
const harmlessValue = /^[A-Za-z0-9_.,:@+=*-]*$/;
/** In other encodings half of a letter can be a quote or a backslash, and bash would read the next line another way. */
const locale = /^(?:C|POSIX|(?:C|[a-z]{2,3}(?:_[A-Z]{2})?)\.(?:UTF-8|utf8|utf-8|UTF8))?$/;
const timeZone = /^[A-Za-z_+0-9-]+(?:\/[A-Za-z_+0-9-]+){0,2}$/;

/** Why an assignment always asks, or undefined when both its name and its value are harmless. */
function findAssignmentProblem(assignment: UnitAssignment): { told: string; because: string } | undefined {
  const { name, value, plain } = assignment;
  const ask = (told: string, because: string = opaque.setting) => ({ told, because });
  if (!plain) return ask(opaque.assignment);
  if (value.problem !== undefined) return ask(value.problem, value.problem);
  if (!harmlessNames.test(name)) return ask(`Setting ${name} can change what a command does.`);
  if (/^L(?:ANG|C_[A-Z]+)$/.test(name))
    return locale.test(value.value) ? undefined : ask(`${name} sets an encoding that may not be UTF-8.`);
  if (harmlessValue.test(value.value)) return undefined;
  return name === "TZ" && timeZone.test(value.value)
    ? undefined
    : ask(`The value of ${name} is not a plain word.`);
}
