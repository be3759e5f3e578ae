/** Gives one unit its verdict: what never runs, what always asks, what a rule covers, what is read-only. */

import type { VerdictName } from "../../shared/contract/decisions.ts";
import { findBeyond } from "./beyond/find-beyond.ts";
import { findDenial, isRawDisk } from "./deny-unit.ts";
import { findAssignmentProblem } from "./environment-prefix.ts";
import { isCrowded, judgeCrowdedWords, judgeNature, type Nature, type Scene } from "./judge-nature.ts";
import type { PolicyContext } from "./policy-context.ts";
import { matchRules } from "./rule-match.ts";
import type { ShellUnit } from "./shell-unit.ts";
import type { ShellWord } from "./shell-word.ts";
import { programOf } from "./unit-name.ts";
import { judgeRedirects, namesOwnData, type PathFinding } from "./unit-paths.ts";
import { isStricter, type UnitVerdict } from "./verdict.ts";

/** A unit's verdict, whether it is a read-only tool that writes nowhere, and the words a rule has to match. */
type JudgedUnit = { unit: UnitVerdict; readOnly: boolean; words: readonly ShellWord[] };

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
  const asked = judged.unit.verdict === "ask" || judged.unit.verdict === "deny";
  const unitVerdict: UnitVerdict = asked
    ? { source: beyond.source, ...judged.unit, class: beyond.class }
    : { text: unit.text, verdict: "ask", ...beyond };
  return { ...judged, unit: unitVerdict };
}

/** The verdict that a unit's own nature, its paths and the rules give it. */
function judgeHere(unit: ShellUnit, context: PolicyContext): JudgedUnit {
  const scene: Scene = { context, cwds: unit.cwds };
  const crowded = isCrowded(unit);
  const nature = crowded ? judgeCrowdedWords(unit) : judgeNature(unit, scene);
  const redirects = crowded ? [] : judgeRedirects(unit, scene);
  const readOnly = nature.readOnly && !redirects.some((each) => each.write);
  const as = (verdict: VerdictName, reason: string, rule?: string): JudgedUnit => {
    const judged = { text: unit.text, verdict, reason, ...(rule === undefined ? {} : { rule }) };
    return { unit: judged, readOnly, words: nature.words };
  };
  const denial = findUnitDenial(unit, scene);
  if (denial !== undefined) return as("deny", denial);
  const ownData = crowded ? undefined : ownDataWrite(unit, nature, redirects, scene);
  if (ownData !== undefined) return as("deny", ownData);
  const feeds = unit.redirects.some(({ operator }) => operator.startsWith("<"));
  const asShown = redirects.length === 0 && !feeds && unit.cwds.every((cwd) => cwd === context.workspace);
  const match = matchRules(nature.words, context, asShown);
  if (match?.effect === "deny") return as("deny", `The rule "${match.text}" forbids it.`, match.id);
  const assignment = unit.assignments.map(findAssignmentProblem).find((each) => each !== undefined);
  const asked = unit.problems[0] ?? assignment ?? redirects.find((each) => each.floor === "ask")?.reason;
  if (asked !== undefined) return as("ask", asked);
  if (nature.verdict === "ask") return as("ask", nature.reason);
  if (match?.effect === "ask") return as("ask", `The rule "${match.text}" asks.`, match.id);
  const limited = redirects.find((each) => each.floor === "new");
  if (match !== undefined && nature.covered) {
    return limited
      ? as("new", limited.reason)
      : as("covered", `Covered by the rule "${match.text}".`, match.id);
  }
  const floor = limited ?? redirects.find((each) => isStricter(each.floor, nature.verdict));
  if (nature.verdict === "safe" && floor !== undefined)
    return as("new", `${floor.reason} No rule covers it.`);
  return as(nature.verdict, nature.reason);
}

function ownDataWrite(
  unit: ShellUnit,
  nature: Nature,
  redirects: readonly PathFinding[],
  scene: Scene,
): string | undefined {
  const redirect = redirects.find((each) => each.floor === "deny");
  if (redirect !== undefined) return redirect.reason;
  const named = nature.readOnly ? undefined : unit.words.slice(1).find((word) => namesOwnData(word, scene));
  return named && `${named.text} belongs to this app's own records, which only the app may write.`;
}
