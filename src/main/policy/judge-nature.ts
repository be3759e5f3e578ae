/** What a program's own nature says of a unit: whether it only reads, what it would read, and what a rule may cover. */
import type { SandboxEffect } from "../../shared/contract/decisions.ts";
import { describeArchives, leavesClosed, onlySums } from "./archives.ts";
import { isOpaque, opaque } from "./bounded/opaque-reasons.ts";
import { needsNetwork } from "./bounded/outside-programs.ts";
import { effectOnAll, effectOnReason } from "./bounded/sandbox-effect.ts";
import { describeBroadSearch, describeShownAddresses } from "./broad-search.ts";
import { plainWord } from "./command-pieces.ts";
import { describeTrackedContents } from "./git-contents.ts";
import { findGitLimit, findGitProgram } from "./git-limits.ts";
import { findAskingProgram } from "./guards/asking-programs.ts";
import { readGit } from "./guards/git-guard.ts";
import { findPathspecLoss } from "./guards/git-pathspec.ts";
import { findGuardedUse } from "./guards/program-guards.ts";
import { describePacked } from "./packed-files.ts";
import type { PolicyContext, Tools } from "./policy-context.ts";
import { readAwk } from "./profiles/awk.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
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
  /** Only where it waits: what a sandbox would do about all the reasons for that. */
  sandbox?: SandboxEffect;
};

function asks(reason: string, words: ShellWord[], sandbox?: SandboxEffect): Nature {
  return { verdict: "ask", reason, words, readOnly: false, covered: false, sandbox };
}

function reads(reason: string, words: ShellWord[]): Nature {
  return { verdict: "safe", reason, words, readOnly: true, covered: true };
}

/** Most words, redirections and assignments in one command that can get anything better than `ask`. */
const maxWords = 400;

/** More words than are read one by one; such a part is asked about. */
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

const isLiteral = ({ problem }: ShellWord) => problem === undefined;

/** About words that nobody can read: bounded, unless what can be read of them names a place that is asked about. */
function effectOnWords(
  words: readonly ShellWord[],
  use: "read" | "write",
  scene: Scene,
): SandboxEffect | undefined {
  const unclear = words.filter((word) => !isLiteral(word));
  if (!unclear.every(({ problem }) => isOpaque(problem!))) return undefined;
  const named = findFirst(unclear, (word) =>
    judgeArgument({ ...word, problem: undefined, glob: false }, use, scene),
  );
  return named === undefined ? "bounds" : undefined;
}

function judgeReading(reading: ProfileReading, words: ShellWord[], name: string, scene: Scene): Nature {
  const { content, metadata, perhapsFiles = [] } = reading;
  const use = onlySums(name) ? "sum" : "read";
  const found =
    findFirst(content.filter(isLiteral), (word) => judgePath(word, use, scene)) ??
    findFirst(metadata.filter(isLiteral), (word) => judgePath(word, "name", scene)) ??
    findFirst(perhapsFiles.filter(isLiteral), (word) => judgePath(word, use, scene));
  const broad = describeBroadSearch(
    name === "git" && words[1]?.value === "grep" ? "git grep" : name,
    reading,
    scene,
  );
  const dynamic = [...words, ...content, ...metadata, ...perhapsFiles].find(
    (word) => !isLiteral(word),
  )?.problem;
  const opened = new Set([...reading.content, ...reading.metadata]);
  const listed = words
    .slice(1)
    .filter((word) => isLiteral(word) && isExpandedHere(word) && !opened.has(word));
  const listing = findFirst(listed, (word) => judgePath(word, "list", scene));
  const flags = reading.mayBeFlag ? findFlagNames(scene) : undefined;
  const wide = describeWideOutput(name, words, reading);
  const known =
    reading.problem ??
    wide ??
    flags ??
    found?.reason ??
    broad ??
    listing?.reason ??
    describeArchives(name, reading, scene);
  const reason = dynamic ?? known;
  // A tool of this list with an option that is not is no longer known to read.
  const readOnly = reading.problem === undefined;
  const sandbox = known === undefined ? effectOnWords(words, "read", scene) : undefined;
  if (reason !== undefined) return { verdict: "ask", reason, words, readOnly, covered: false, sandbox };
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

function judgeGit(words: ShellWord[], scene: Scene): Nature {
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

function judgeChange(words: ShellWord[], name: string, limit: string | undefined, scene: Scene): Nature {
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
function effectOnOpaque(
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

function judgeProgram(unit: ShellUnit, name: string, words: ShellWord[], scene: Scene): Nature {
  const args = words.slice(1);
  const version = readVersionQuestion(
    name,
    args.map((word) => word.value),
    scene,
  );
  if (version === "asked") return reads("It prints the version.", words);
  if (version !== undefined) return asks(version.reason, words);
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
