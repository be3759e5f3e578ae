/** What a program's own nature says of a unit: whether it only reads, what it would read, and what a rule may cover. */
import { isWithin } from "../paths/path-style.ts";
import { describeBroadSearch, describeShownAddresses } from "./broad-search.ts";
import { plainWord } from "./command-pieces.ts";
import { describeTrackedContents } from "./git-contents.ts";
import { findAskingProgram } from "./guards/asking-programs.ts";
import { readGit } from "./guards/git-guard.ts";
import { findPathspecLoss } from "./guards/git-pathspec.ts";
import { findGuardedUse } from "./guards/program-guards.ts";
import type { PolicyContext, Tools } from "./policy-context.ts";
import { readAwk } from "./profiles/awk.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import { readNpm } from "./profiles/npm.ts";
import { readReadOnlyTool } from "./profiles/read-only-tools.ts";
import { readXargs } from "./profiles/xargs.ts";
import type { ShellUnit } from "./shell-unit.ts";
import type { ShellWord } from "./shell-word.ts";
import { readUnitName } from "./unit-name.ts";
import { judgeArgument, judgePath } from "./unit-paths.ts";
import { isStricter } from "./verdict.ts";
import { readVersionQuestion } from "./version-question.ts";
import { describeWideOutput } from "./wide-output.ts";

/** What a program's own nature says: the best verdict without any rule, and the words a rule has to match. */
export type Nature = {
  verdict: "safe" | "new" | "ask";
  reason: string;
  words: ShellWord[];
  readOnly: boolean;
  covered: boolean;
};

function asks(reason: string, words: ShellWord[]): Nature {
  return { verdict: "ask", reason, words, readOnly: false, covered: false };
}

function reads(reason: string, words: ShellWord[]): Nature {
  return { verdict: "safe", reason, words, readOnly: true, covered: true };
}

/** Most words, redirections and assignments in one command that can get anything better than `ask`. */
const maxWords = 400;

export function isCrowded({ words, assignments, redirects }: ShellUnit): boolean {
  return words.length + assignments.length + redirects.length > maxWords;
}

export type Scene = { context: PolicyContext; cwds: readonly string[] };

/** The first finding among words; later ones would not change the answer. */
function findFirst<T>(words: readonly ShellWord[], judge: (word: ShellWord) => T | undefined): T | undefined {
  for (const word of words) {
    const finding = judge(word);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** Why a file pattern may become an option: a file here is named like one, or nobody can say. */
function findFlagNames({ context, cwds }: Scene): string | undefined {
  const names = cwds.map((cwd) => context.look?.namesIn(cwd));
  const odd = names.some((each) => each === undefined || each.some((name) => /^[-+@]/.test(name)));
  return odd ? "A file pattern may turn into an option." : undefined;
}

/** A pattern that stands in the word itself: one that a loop's variable brings was expanded when the loop began. */
function isExpandedHere({ glob, text }: ShellWord): boolean {
  return glob && /[*?[]/.test(text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs, ""));
}

function judgeReading(reading: ProfileReading, words: ShellWord[], name: string, scene: Scene): Nature {
  const found =
    findFirst(reading.content, (word) => judgePath(word, "read", scene)) ??
    findFirst(reading.metadata, (word) => judgePath(word, "name", scene)) ??
    findFirst(reading.perhapsFiles ?? [], (word) => judgePath(word, "read", scene));
  const broad = describeBroadSearch(
    name === "git" && words[1]?.value === "grep" ? "git grep" : name,
    reading,
    scene,
  );
  const dynamic = words.find((word) => word.problem !== undefined)?.problem;
  const opened = new Set([...reading.content, ...reading.metadata]);
  const listed = words.slice(1).filter((word) => isExpandedHere(word) && !opened.has(word));
  const listing = findFirst(listed, (word) => judgePath(word, "list", scene));
  const flags = reading.mayBeFlag ? findFlagNames(scene) : undefined;
  const wide = describeWideOutput(name, words, reading);
  const reason = dynamic ?? reading.problem ?? wide ?? flags ?? found?.reason ?? broad ?? listing?.reason;
  // A tool of this list with an option that is not is no longer known to read.
  const readOnly = reading.problem === undefined;
  if (reason !== undefined) return { verdict: "ask", reason, words, readOnly, covered: false };
  return reads(`${name} only reads here.`, words);
}

/** How the tools at hand may read words: on macOS its own tools, or GNU's that a person installed. */
function mannersOf({ context }: Scene): readonly Tools[] {
  return context.tools === "gnu" ? ["gnu"] : ["gnu", "bsd"];
}

/**
 * The nature of a reading tool in the manner that says worst of its words. Undefined when it is no reading tool in one of
 * them.
 */
function judgeManners(
  read: (tools: Tools) => ProfileReading | undefined,
  words: ShellWord[],
  name: string,
  scene: Scene,
): Nature | undefined {
  let worst: Nature | undefined;
  for (const tools of mannersOf(scene)) {
    const reading = read(tools);
    if (reading === undefined) return undefined;
    const nature = judgeReading(reading, words, name, scene);
    if (worst === undefined || isStricter(nature.verdict, worst.verdict)) worst = nature;
  }
  return worst;
}

/** Why git may not run unasked here: the repository it would find may be one that nobody trusted. */
function findGitLimit({ context, cwds }: Scene): string | undefined {
  if (!context.trusted)
    return "Git can run programs that the settings of this folder name, and you have not trusted it.";
  const holds = (folder: string, name: string) => context.look?.isThere(`${folder}/${name}`) ?? false;
  if (!holds(context.workspace, ".git"))
    return "The workspace has no repository of its own, and git would look elsewhere for one.";
  const nested = cwds.some((cwd) => {
    if (!isWithin(cwd, context.workspace)) return true;
    const below = cwd
      .slice(context.workspace.length)
      .split("/")
      .filter((part) => part !== "");
    // Plain files make a repository too, of which each has a HEAD; only git from 2.38 on can be told not to take it.
    return below.some((_, at) => {
      const folder = `${context.workspace}/${below.slice(0, at + 1).join("/")}`;
      return holds(folder, ".git") || holds(folder, "HEAD");
    });
  });
  return nested ? "Git may find another repository with settings of its own here." : undefined;
}

function judgeGit(words: ShellWord[], scene: Scene): Nature {
  const git = readGit(words);
  if (git.kind === "ask") return asks(git.reason, words);
  if (git.kind === "version") return reads("It prints the version.", words);
  const limit = findGitLimit(scene);
  if (git.kind === "change") {
    const loss = findPathspecLoss(git.words, scene);
    if (loss !== undefined) return asks(loss, git.words);
    return judgeChange(git.words, "git", limit, scene);
  }
  const nature = judgeReading(git.reading, git.words, "git", scene);
  if (nature.verdict === "ask") return nature;
  const shows = describeShownAddresses(git.words, scene);
  if (shows !== undefined) return { ...nature, verdict: "ask", reason: shows };
  const contents = describeTrackedContents(git.words, git.reading, scene);
  if (contents !== undefined) return { ...nature, verdict: "ask", reason: contents };
  const colon = findFirst(git.words, (word) => judgeArgument(word, "read", scene));
  if (colon !== undefined) return { ...nature, verdict: "ask", reason: colon.reason };
  return limit === undefined ? nature : { ...nature, verdict: "new", reason: limit, covered: false };
}

function judgeChange(words: ShellWord[], name: string, limit: string | undefined, scene: Scene): Nature {
  const messages = name === "git" && words[1]?.value === "commit";
  const args = words
    .slice(1)
    .filter((_, at) => !(messages && /^(?:-[a-zA-Z]*m|--message)$/.test(words[at]?.value ?? "")));
  const finding = findFirst(args, (word) => judgeArgument(word, "write", scene));
  const dynamic = words.find((word) => word.problem !== undefined)?.problem;
  const reason = dynamic ?? finding?.reason;
  if (reason !== undefined) return asks(reason, words);
  return {
    verdict: "new",
    reason: limit ?? "No rule covers it.",
    words,
    readOnly: false,
    covered: limit === undefined,
  };
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
  const picked =
    name === "awk" ? judgeManners((tools) => readAwk(args, tools), words, name, scene) : undefined;
  if (picked?.readOnly) return picked;
  const piped =
    name === "xargs"
      ? judgeManners((tools) => readXargs(unit, args, scene, tools), words, name, scene)
      : undefined;
  if (piped !== undefined) return piped;
  const always = findAskingProgram(name);
  if (always !== undefined) return asks(`${name}: ${always}`, words);
  if (name === "git") return judgeGit(words, scene);
  if (name === "npm") {
    const reading = readNpm(args);
    if (reading !== undefined) {
      const nature = judgeReading(reading, words, name, scene);
      const limit = "npm obeys settings of the folder, which is not trusted.";
      return scene.context.trusted || nature.verdict !== "safe"
        ? nature
        : { ...nature, verdict: "new", reason: limit };
    }
  }
  if (name === "cd") return reads("It changes to a folder of the workspace.", words);
  const reading = judgeManners((tools) => readReadOnlyTool(name, args, tools), words, name, scene);
  if (reading !== undefined) return reading;
  const guarded = findGuardedUse(name, args);
  if (guarded !== undefined) return asks(guarded, words);
  return judgeChange(words, name, undefined, scene);
}

export function judgeNature(unit: ShellUnit, scene: Scene): Nature {
  const first = unit.words[0];
  if (first === undefined) {
    const sets = unit.assignments.length > 0;
    const reason = sets ? "It only sets harmless variables." : "It only opens files.";
    const writes = unit.redirects.some((each) => each.operator !== "<");
    return { verdict: writes ? "new" : "safe", reason, words: [], readOnly: !writes, covered: false };
  }
  const read = readUnitName(first);
  if ("problem" in read) return asks(read.problem, unit.words);
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
