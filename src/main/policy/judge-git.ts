/** The nature of a unit whose program is git. */

import { describeShownAddresses } from "./broad-search.ts";
import { describeTrackedContents } from "./git-contents.ts";
import { findGitLimit, findGitProgram } from "./git-limits.ts";
import { readGit } from "./guards/git-guard.ts";
import { findPathspecLoss } from "./guards/git-pathspec.ts";
import { judgeChange } from "./judge-change.ts";
import { judgeReading } from "./judge-reading.ts";
import { asks, findFirst, isLiteral, type Nature, reads } from "./nature.ts";
import type { Scene } from "./policy-context.ts";
import type { ShellWord } from "./shell-word.ts";
import { judgeArgument } from "./unit-paths.ts";

/** @param words begin with `git`. */
export function judgeGit(words: ShellWord[], scene: Scene): Nature {
  const git = readGit(words);
  if (git.kind === "ask") return asks(git.reason, words);
  if (git.kind === "version") return reads("It prints the version.", words);
  const limit = findGitLimit(scene);
  if (git.kind === "change") {
    const loss = findPathspecLoss(git.words, scene);
    if (loss !== undefined) return asks(loss, git.words);
    return judgeChange(git.words, "git", limit ?? findGitProgram(git.words, scene), scene);
  }
  const nature = judgeReading(git.reading, git.words, "git", scene);
  const shown =
    describeShownAddresses(git.words, scene) ??
    describeTrackedContents(git.words, git.reading, scene) ??
    findFirst(git.words.filter(isLiteral), (word) => judgeArgument(word, "sum", scene))?.reason;
  if (nature.verdict === "ask") return shown === undefined ? nature : { ...nature, sandbox: undefined };
  if (shown !== undefined) return { ...nature, verdict: "ask", reason: shown };
  const held = limit ?? findGitProgram(git.words, scene, git.reading);
  return held === undefined ? nature : { ...nature, verdict: "new", reason: held, covered: false };
}
