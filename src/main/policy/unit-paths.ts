/** Judges the paths that a unit reads or writes: arguments that may be paths, and redirections. */

import type { VerdictName } from "../../shared/contract/decisions.ts";
import { quote } from "../../shared/foreign-words.ts";
import { couldMatchSecret, splitPattern } from "./file-pattern.ts";
import { leadsToOwnData, type PathPlace, placePath, resolvePathIn } from "./path-place.ts";
import { findHeldFile, findLinkOut } from "./pattern-links.ts";
import type { Scene } from "./policy-context.ts";
import type { ShellUnit } from "./shell-unit.ts";
import type { ShellWord } from "./shell-word.ts";

/** What one path adds to a unit's verdict. `floor` is the best verdict that the unit can still get. */
export type PathFinding = { floor: VerdictName; reason: string };

/**
 * How a path is used. `list` only says that it is there, `name` looks at the file, `sum` tells sums or counts of it, `read`
 * prints it, `write` may change or remove it, and `handle` may do any of these.
 */
type PathUse = "list" | "name" | "sum" | "read" | "write" | "handle";

const opens = (use: PathUse) => use !== "list" && use !== "name";
const changes = (use: PathUse) => use === "write" || use === "handle";
const shows = (use: PathUse) => use === "read" || use === "handle";

/** What a place on the disk adds to the use of a path, or undefined where nothing stands against it. */
export function describePlace(path: string, place: PathPlace, use: PathUse): PathFinding | undefined {
  if (place.ownData) {
    return {
      floor: changes(use) ? "deny" : "ask",
      reason: `${quote(path)} belongs to this app's own records.`,
    };
  }
  if (place.real === undefined)
    return { floor: "ask", reason: `${quote(path)} ${place.unseen?.problem ?? "cannot be resolved"}.` };
  if (place.secret !== undefined && opens(use))
    return { floor: "ask", reason: `${quote(path)} holds secrets (${place.secret}).` };
  if (!place.inside) return { floor: "ask", reason: `${quote(path)} leads outside of the workspace.` };
  if (changes(use) && place.protected !== undefined)
    return { floor: "ask", reason: `${quote(path)} is protected (${place.protected}).` };
  if (shows(use) && place.archive) return { floor: "ask", reason: describeHeld(path) };
  return undefined;
}

const describeHeld = (text: string) =>
  `${quote(text)} may print an archive or a secret, and nobody sees here which secrets are in it.`;

function judgePattern(word: ShellWord, value: string, use: PathUse, scene: Scene): PathFinding | undefined {
  const { base, climbs } = splitPattern(value);
  if (climbs) return { floor: "ask", reason: `The pattern ${quote(word.text)} may climb out of its folder.` };
  const secret = opens(use) && matchesSecret(word, value, base, scene);
  if (secret)
    return { floor: "ask", reason: `The pattern ${quote(word.text)} may match files that hold secrets.` };
  if ((use === "sum" || use === "read") && !scene.context.trusted) {
    return {
      floor: "ask",
      reason: `The pattern ${quote(word.text)} may match links that lead outside of an untrusted folder.`,
    };
  }
  if (changes(use) && /^\.[*?[]/.test(value.slice(value.lastIndexOf("/") + 1))) {
    return {
      floor: "ask",
      reason: `The pattern ${quote(word.text)} matches hidden files, Git's own data included.`,
    };
  }
  const matched = findMatched(word, value, use, scene);
  if (matched !== undefined) return { floor: "ask", reason: matched };
  return judgeValue(base, use, scene);
}

/** Why a pattern may reach what does not stand in its folder, or what nobody may print, or nobody could look. */
function findMatched(
  word: ShellWord,
  value: string,
  use: PathUse,
  { context, cwds }: Scene,
): string | undefined {
  const { base } = splitPattern(value);
  const first = value.split("/").findIndex((part) => /[*?[]/.test(part));
  const components = (value === word.value ? word.pattern : value).split("/").slice(first);
  for (const cwd of cwds) {
    const folder = resolvePathIn(base, cwd, context);
    const found =
      folder === undefined
        ? "unknown"
        : findLinkOut(folder, components, context, { namesOnly: use === "list" });
    if (found === "unknown") return `Nobody could look at what the pattern ${quote(word.text)} matches.`;
    if (found !== undefined)
      return `The pattern ${quote(word.text)} matches the link ${quote(found.slice(found.lastIndexOf("/") + 1))}, which leads elsewhere.`;
    const held = shows(use) && folder !== undefined ? findHeldFile(folder, components, context) : undefined;
    if (held !== undefined) return describeHeld(word.text);
  }
  return undefined;
}

/** A pattern that is not aimed at secrets is held against the names that are there, where they can be seen. */
function matchesSecret(word: ShellWord, value: string, base: string, { context, cwds }: Scene): boolean {
  const could = couldMatchSecret(value === word.value ? word.pattern : value);
  if (could === undefined || could === "aimed") return could === "aimed";
  if (context.findSecretBelow === undefined) return could === "wide";
  const deep = value.slice(base.length).replace(/^\/+/, "").split("/").length;
  return cwds.some((cwd) => {
    const real = resolvePathIn(base, cwd, context);
    return (
      real === undefined || context.findSecretBelow?.(real, { hidden: false, depth: deep }) !== undefined
    );
  });
}

function judgeValue(value: string, use: PathUse, { context, cwds }: Scene): PathFinding | undefined {
  for (const cwd of cwds) {
    const finding = describePlace(value, placePath(value, cwd, context), use);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** Judges one word that is a path. */
export function judgePath(word: ShellWord, use: PathUse, scene: Scene): PathFinding | undefined {
  if (word.problem !== undefined) return { floor: "ask", reason: word.problem };
  if (word.value === "-" || word.value === "") return undefined;
  return word.glob ? judgePattern(word, word.value, use, scene) : judgeValue(word.value, use, scene);
}

/** The texts inside one argument that a program could take for a path: `x`, `--opt=x`, `-ox`, `a:x`, `@x`. */
function pathCandidates(value: string): string[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && !/^file:/i.test(value)) {
    return [
      value
        .replace(/^[^:]*:\/+[^/?#]*/, "")
        .replace(/[?#].*$/, "")
        .replace(/^\/+/, "")
        .split("/")
        .at(-1) ?? "",
    ];
  }
  const pieces = [value, ...value.split(/[=:,@]/)];
  if (/^-[A-Za-z]./.test(value)) pieces.push(value.slice(2), value.slice(Math.max(2, value.search(/[./~]/))));
  return [...new Set(pieces)].filter((piece) => piece !== "" && !/^-/.test(piece));
}

/** Judges an argument of a program whose use of it is unknown. */
export function judgeArgument(word: ShellWord, use: PathUse, scene: Scene): PathFinding | undefined {
  if (word.problem !== undefined) return { floor: "ask", reason: word.problem };
  for (const piece of pathCandidates(word.value)) {
    const path = piece.startsWith("~/") || piece === "~" ? scene.context.home + piece.slice(1) : piece;
    if (/^~/.test(path)) return { floor: "ask", reason: `${quote(piece)} names somebody's home.` };
    const finding =
      word.glob && /[*?[]/.test(path) ? judgePattern(word, path, use, scene) : judgeValue(path, use, scene);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** Whether any reading of an argument as a path lies in this app's own data. */
export function namesOwnData(word: ShellWord, { context, cwds }: Scene): boolean {
  return pathCandidates(word.value).some((piece) => {
    const path = /^~(?:\/|$)/.test(piece) ? context.home + piece.slice(1) : piece;
    return cwds.some((cwd) => leadsToOwnData(splitPattern(path).base, cwd, context));
  });
}

const freeDevices = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);
const duplicated = /^(?:\d+-?|-)$/;
/** Letters of any script, with their marks, that can be seen. */
const ordinaryFile = /^(?:(?!\p{DI})[\p{L}\p{M}\p{N}_./@%+=, -])+$/u;

/** Judges all redirections of a unit. Writing inside the workspace leaves a rule the last word. */
export function judgeRedirects(unit: ShellUnit, scene: Scene): (PathFinding & { write: boolean })[] {
  return unit.redirects.flatMap(({ operator, target }) => {
    if (target === undefined) return [];
    const value = target.value;
    const write = operator !== "<" && operator !== "<&";
    if (target.problem === undefined && (operator === ">&" || operator === "<&") && duplicated.test(value))
      return [];
    if (freeDevices.has(value) || (value === "/dev/stdin" && !write)) return [];
    const ask = (reason: string) => [{ floor: "ask" as const, reason, write }];
    if (target.problem !== undefined) return ask(target.problem);
    if (target.glob || !ordinaryFile.test(value) || value.startsWith("-")) {
      return ask(`The redirection to ${quote(target.text)} does not name an ordinary file.`);
    }
    if (operator === "<&" || operator === "<>")
      return ask(`The redirection ${operator} opens a file in an unusual way.`);
    const finding = judgeValue(value, write ? "write" : "read", scene);
    if (finding !== undefined) return [{ ...finding, write }];
    if (!write) return [];
    const steering = scene.cwds.some((cwd) => placePath(value, cwd, scene.context).steering);
    if (steering)
      return [
        {
          floor: "new" as const,
          reason: `It overwrites ${quote(value)}, which other programs run or obey.`,
          write,
        },
      ];
    return [{ floor: "covered" as const, reason: `It writes ${quote(value)}.`, write }];
  });
}
