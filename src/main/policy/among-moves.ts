/** Holds back what one part of a command reads where another part may have put something else there by then. */
import { type JudgedUnit, judgeUnit, partOf } from "./judge-unit.ts";
import { resolvePathIn } from "./path-place.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { ShellUnit } from "./shell-unit.ts";
import type { ShellWord } from "./shell-word.ts";
import { needsSubcommand } from "./subcommands.ts";

/** What stands at other places when a part has run: files, what git holds, or neither. */
type Moves = "files" | "git" | "nothing";

/** These run what the workspace says, which may do anything: a rule trusts the program that it names. */
const runsWorkspace = new Set([
  ...[...needsSubcommand].filter((name) => !/^(?:git|gh|curl|wget)$/.test(name)),
  ..."make tsc eslint prettier biome jest vitest mocha pytest ruff mypy black phpunit rspec".split(" "),
]);
/** These make or change what they name, and nothing gets another name. */
const movesNothing = new Set("mkdir rmdir touch tee chmod chown chgrp truncate".split(" "));
/** These leave the files of the work tree as they are. */
const keepsFiles = /^(?:add|commit|branch|tag|fetch|push|notes|remote|config|init|gc)$/;

/** Names, with which a file that is no folder and no way out brings nothing but itself. */
function areFiles(sources: readonly ShellWord[], { cwds }: ShellUnit, context: PolicyContext): boolean {
  return sources.every(({ value, glob }) =>
    cwds.every((cwd) => {
      const real = resolvePathIn(value, cwd, context);
      return !glob && real !== undefined && context.look?.isThere(`${real}/.`) === false;
    }),
  );
}

function findMoves(unit: ShellUnit, words: readonly ShellWord[], context: PolicyContext): Moves {
  const [name = "", subcommand = "", option = ""] = words.map(({ value }) => value);
  if (words.length === 0 || runsWorkspace.has(name) || movesNothing.has(name)) return "nothing";
  const isBranchMade = /^(?:switch -c|checkout -b)$/.test(`${subcommand} ${option}`) && words.length === 4;
  if (name === "git" && (keepsFiles.test(subcommand) || isBranchMade))
    return isBranchMade ? "nothing" : "git";
  const operands = words.slice(name === "git" ? 2 : 1).filter(({ value }) => !value.startsWith("-"));
  // What is gone is in nobody's way, unless it told a search what to leave out.
  if (name === "rm" && operands.every(({ value, glob }) => !glob && !/(?:^|\/)\./.test(value)))
    return "nothing";
  const isNamed = name === "cp" || name === "mv" || (name === "git" && subcommand === "mv");
  // With -t the last word is a source too.
  const isTargetFirst = words.some(({ value }) => /^-\w*t|^--t/.test(value));
  if (isNamed && !isTargetFirst && areFiles(operands.slice(0, -1), unit, context)) return "nothing";
  return "files";
}

/** What is known where nobody can tell what will stand there: the folder itself, and what does not move with files. */
function withoutLook(context: PolicyContext, moves: Moves, isGit: boolean): PolicyContext {
  const unseen: Partial<PolicyContext> = { trackedSecrets: () => "unknown", gitKind: () => "unknown" };
  if (moves === "git") return { ...context, ...unseen };
  const { workspace, look, resolvePath } = context;
  return {
    ...context,
    ...unseen,
    // Git follows no link to what it shows.
    resolvePath: isGit ? resolvePath : (path) => (path === workspace ? { real: path } : "unresolvable"),
    findSecretBelow: () => "unknown",
    look: {
      isThere: (path) => path !== `${workspace}/.git` || (look?.isThere(path) ?? false),
      entriesIn: () => undefined,
      namesIn: () => undefined,
      namesBelow: () => undefined,
      kindOf: () => "unknown",
    },
  };
}

/** In a row each part waits for those before it; in a loop, a pipe or beside others it may come first. */
const isInRow = (command: string, units: readonly ShellUnit[]) =>
  !units.some(({ within }) => within) && !/(?<![|&>])[|&](?![|&>\d])/.test(command);

/**
 * Judges what reads, and what copies, once more as if nothing were known of the disk, where another part of the command
 * moves files or changes what git holds.
 *
 * @param judged of each unit, as the disk is now
 */
export function judgeAmongMoves(
  command: string,
  units: readonly ShellUnit[],
  judged: readonly JudgedUnit[],
  context: PolicyContext,
): readonly JudgedUnit[] {
  const moves = units.map((unit, at) =>
    judged[at]!.reads ? "nothing" : findMoves(unit, judged[at]!.words, context),
  );
  if (moves.every((each) => each === "nothing")) return judged;
  const inRow = isInRow(command, units);
  return judged.map((each, at) => {
    const name = each.words[0]?.value ?? "";
    const isKnown = !each.reads && (runsWorkspace.has(name) || name === "git");
    if (isKnown || each.unit.verdict === "ask" || each.unit.verdict === "deny") return each;
    const others = moves.filter((_, other) => (inRow ? other < at : other !== at));
    const most = others.includes("files") ? "files" : others.includes("git") ? "git" : "nothing";
    if (most === "nothing") return each;
    const blind = judgeUnit(units[at]!, withoutLook(context, most, name === "git")).unit.verdict;
    if (blind === each.unit.verdict) return each;
    const reason =
      "Another part of the command may put something else where this part reads. Run them one after the other.";
    return { ...each, unit: { ...partOf(units[at]!), verdict: "ask", reason } };
  });
}
