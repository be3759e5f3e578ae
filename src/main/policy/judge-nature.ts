/** What a program's own nature says of a unit: whether it only reads, what it would read, and what a rule may cover. */

import { opaque } from "./bounded/opaque-reasons.ts";
import { plainWord } from "./command-pieces.ts";
import { findAskingProgram } from "./guards/asking-programs.ts";
import { findGuardedUse } from "./guards/program-guards.ts";
import { effectOnOpaque, judgeChange } from "./judge-change.ts";
import { judgeGit } from "./judge-git.ts";
import { judgeManners, judgeReading } from "./judge-reading.ts";
import { asks, type Nature, reads } from "./nature.ts";
import { describePacked } from "./packed-files.ts";
import type { Scene } from "./policy-context.ts";
import { readAwk } from "./profiles/awk.ts";
import { readReadOnlyTool } from "./profiles/read-only-tools.ts";
import { readXargs } from "./profiles/xargs.ts";
import type { ShellUnit } from "./shell-unit.ts";
import type { ShellWord } from "./shell-word.ts";
import { readSyntaxCheck } from "./syntax-check.ts";
import { readUnitName } from "./unit-name.ts";
import { readVersionQuestion } from "./version-question.ts";

/** Most words, redirections and assignments in one command that can get anything better than `ask`. */
const maxWords = 400;

/** More words than are read one by one; such a part is asked about. */
export function isCrowded({ words, assignments, redirects }: ShellUnit): boolean {
  return words.length + assignments.length + redirects.length > maxWords;
}

function judgeProgram(unit: ShellUnit, name: string, words: ShellWord[], scene: Scene): Nature {
  const args = words.slice(1);
  const version = readVersionQuestion(
    name,
    args.map((word) => word.value),
    scene,
  );
  if (version === "asked") return reads("It prints the version.", words);
  if (version !== undefined) return asks(version.reason, words);
  const checked = readSyntaxCheck(name, args, scene);
  if (checked !== undefined) return judgeReading(checked, words, name, scene);
  const asksFor = (reason: string, told: string) =>
    asks(told, words, effectOnOpaque(name, reason, words, scene));
  const picked =
    name === "awk" ? judgeManners((tools) => readAwk(args, tools), words, name, scene) : undefined;
  if (picked?.readOnly) return picked;
  const piped =
    name === "xargs"
      ? judgeManners((tools) => readXargs(unit, args, scene, tools), words, name, scene)
      : undefined;
  if (piped !== undefined) return piped;
  const always = findAskingProgram(name);
  if (always !== undefined) return asksFor(always, `${name}: ${always}`);
  if (name === "git") return judgeGit(words, scene);
  if (name === "cd") return reads("It changes to a folder of the workspace.", words);
  const reading = judgeManners((tools) => readReadOnlyTool(name, args, tools), words, name, scene);
  if (reading !== undefined) return reading;
  const guarded = findGuardedUse(name, args);
  if (guarded !== undefined) return asksFor(guarded.reason, guarded.told);
  const packed = describePacked(name, args, scene);
  if (packed !== undefined) return asks(packed, words);
  return judgeChange(words, name, undefined, scene);
}

/** @returns for a unit without a program what its assignments and redirections do. */
export function judgeNature(unit: ShellUnit, scene: Scene): Nature {
  const first = unit.words[0];
  if (first === undefined) {
    const sets = unit.assignments.length > 0;
    const reason = sets ? "It only sets harmless variables." : "It only opens files.";
    const writes = unit.redirects.some((each) => each.operator !== "<");
    const verdict = writes ? "new" : "safe";
    return { verdict, reason, words: [], readOnly: !writes, covered: false, sandbox: "bounds" };
  }
  const read = readUnitName(first);
  if ("problem" in read) {
    const reason = first.problem ?? opaque.nameForm;
    return asks(read.problem, unit.words, effectOnOpaque("", reason, unit.words, scene));
  }
  return judgeProgram(unit, read.name, [plainWord(read.name), ...unit.words.slice(1)], scene);
}

/** Beyond the limit nothing is looked at that takes time with each word, but a rule that forbids it still does. */
export function judgeCrowdedWords(unit: ShellUnit): Nature {
  const reason = `The command has more than ${maxWords} words and redirections.`;
  const first = unit.words[0];
  const read = first && readUnitName(first);
  const name = read && "name" in read ? [plainWord(read.name)] : [];
  const words = [...name, ...unit.words.slice(1, maxWords)];
  return asks(reason, words);
}
