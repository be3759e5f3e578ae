/** Why git may not run unasked although its words are harmless: by the repository it would find and by what its settings name. */
import { isWithin } from "../paths/path-style.ts";
import { printsLines } from "./git-contents.ts";
import { everyGitProgram, type Scene } from "./policy-context.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import type { ShellWord } from "./shell-word.ts";

/** Why git may not run unasked here: the repository it would find may be one that nobody trusted. */
export function findGitLimit({ context, cwds }: Scene): string | undefined {
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

/** Subcommands that merge files; those of `stash` that do not. */
const merges = /^(?:merge|pull|rebase|cherry-pick|revert|stash)$/;
const onlyStashes = /^(?:push|save|list|show|create|store|-.*)?$/;

function mayMerge(words: readonly ShellWord[]): boolean {
  const [, subcommand = "", next = ""] = words.map(({ value }) => value);
  if (/^(?:checkout|switch)$/.test(subcommand)) return words.some(({ value }) => /^-(?:m|-me)/.test(value));
  return merges.test(subcommand) && !(subcommand === "stash" && onlyStashes.test(next));
}

/** These look at nothing but names, states and messages, which a repository holds that fetches the rest when it needs it. */
const holdsAll =
  /^(?:status|branch|tag|remote|rev-parse|config|ls-files|worktree|count-objects|check-ignore|for-each-ref|show-ref|merge-base)$/;
const messagesOnly = new Set(
  "--oneline --graph --decorate --no-color --all --date --format --pretty --author --since --until --grep -n --max-count -number".split(
    " ",
  ),
);

function mayFetch(words: readonly ShellWord[], reading: ProfileReading): boolean {
  if (holdsAll.test(words[1]?.value ?? "")) return printsLines(words, reading);
  const isLogAlone = words[1]?.value === "log" && reading.content.length === 0;
  return !isLogAlone || ![...reading.flags].every((flag) => messagesOnly.has(flag));
}

const showsWithout = ({ flags }: ProfileReading) =>
  ["--no-ext-diff", "--no-textconv"].every((flag) => flags.has(flag));

function mayShow(words: readonly ShellWord[], reading: ProfileReading): boolean {
  const subcommand = words[1]?.value ?? "";
  // Also a single file of a version is made text of first.
  if (/^(?:grep|cat-file)$/.test(subcommand)) return false;
  return /^(?:blame|show)$/.test(subcommand) || printsLines(words, reading);
}

/** These look at files of the work tree, in the form in which git would keep them. */
function mayFilter(words: readonly ShellWord[], { flags }: ProfileReading): boolean {
  const subcommand = words[1]?.value ?? "";
  if (subcommand === "ls-files") return ["-m", "--modified"].some((flag) => flags.has(flag));
  return /^(?:status|diff|blame)$/.test(subcommand);
}

const showsCommits =
  /^(?:log|show|whatchanged|reflog|rev-list|stash|diff-tree|shortlog|branch|tag|for-each-ref)$/;

/**
 * Why git may not run unasked: its settings name a program that would be given contents, or a server that is asked for them.
 *
 * @param reading of a command that only reads
 */
export function findGitProgram(
  words: readonly ShellWord[],
  { context }: Scene,
  reading?: ProfileReading,
): string | undefined {
  const named = context.gitPrograms?.() ?? everyGitProgram;
  const { merging, showing, showingBelow, filtering, fetching, checking, elsewhere } = named;
  if (elsewhere) return "Its settings, or links among its own files, lead git to files elsewhere.";
  if (reading === undefined)
    return merging && mayMerge(words)
      ? "A program that your git settings name may merge the files."
      : undefined;
  if (checking && showsCommits.test(words[1]?.value ?? ""))
    return "A program that your git settings name may check signatures, as a format there asks for it.";
  if (fetching && mayFetch(words, reading)) return "Git may fetch what this repository does not hold.";
  if (filtering && mayFilter(words, reading))
    return "A program that your git settings, or those of a submodule, name may be given the files.";
  if (showingBelow && mayShow(words, reading))
    return "A program that the git settings of a submodule name may show its files.";
  return showing && mayShow(words, reading) && !showsWithout(reading)
    ? "A program that your git settings name may show the files. With --no-ext-diff and --no-textconv none does."
    : undefined;
}
