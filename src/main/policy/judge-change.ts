/** The nature of a unit that changes something, or runs what nobody can read: what a rule may cover of it. */

import type { SandboxEffect } from "../../shared/contract/decisions.ts";
import { leavesClosed } from "./archives.ts";
import { needsNetwork } from "./bounded/outside-programs.ts";
import { effectOnAll, effectOnReason } from "./bounded/sandbox-effect.ts";
import { asks, effectOnWords, findFirst, isLiteral, type Nature } from "./nature.ts";
import type { Scene } from "./policy-context.ts";
import type { ShellWord } from "./shell-word.ts";
import { judgeArgument } from "./unit-paths.ts";

/** @param limit why no rule may cover it here. */
export function judgeChange(
  words: ShellWord[],
  name: string,
  limit: string | undefined,
  scene: Scene,
): Nature {
  const messages = name === "git" && words[1]?.value === "commit";
  const args = words
    .slice(1)
    .filter((_, at) => !(messages && /^(?:-[a-zA-Z]*m|--message)$/.test(words[at]?.value ?? "")));
  const use = leavesClosed(name) ? "write" : "handle";
  const finding = findFirst(args.filter(isLiteral), (word) => judgeArgument(word, use, scene));
  const dynamic = words.find((word) => !isLiteral(word))?.problem;
  const reason = dynamic ?? finding?.reason;
  const sandbox = finding === undefined ? effectOnChange(name, words, scene) : undefined;
  if (reason !== undefined) return asks(reason, words, sandbox);
  return {
    verdict: "new",
    reason: limit ?? "No rule covers it.",
    words,
    readOnly: false,
    covered: limit === undefined,
    sandbox,
  };
}

/** Of git's changes those that only add: what rewrites or moves history, or puts files back, is asked about. */
const addingToGit = /^(?:add|commit|mv|switch|branch|tag)$/;

/** About a program that a rule could cover, with words of which nothing is known that speaks against it. */
function effectOnChange(name: string, words: readonly ShellWord[], scene: Scene): SandboxEffect | undefined {
  if (needsNetwork(name, words.slice(1))) return "refuses";
  const rewrites = words.some(({ value }) => /^--(?:am|fix|sq)/.test(value));
  if (name === "git" && (rewrites || !addingToGit.test(words[1]?.value ?? ""))) return undefined;
  return effectOnWords(words, "write", scene);
}

/** About a program that runs what nobody can read here: the places that its words name plainly are still looked at. */
export function effectOnOpaque(
  name: string,
  reason: string,
  words: readonly ShellWord[],
  scene: Scene,
): SandboxEffect | undefined {
  if (needsNetwork(name, words.slice(1))) return "refuses";
  // A word with other characters is a program's text, or an expression, and no path.
  const paths = words.slice(1).filter((word) => isLiteral(word) && /^[\w.@+~/=:,*?-]+$/.test(word.value));
  const named = findFirst(paths, (word) => judgeArgument(word, "write", scene));
  return effectOnAll([
    effectOnReason(reason),
    named === undefined ? "bounds" : undefined,
    effectOnWords(words.slice(1), "write", scene),
  ]);
}
