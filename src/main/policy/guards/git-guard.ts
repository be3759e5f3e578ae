/** Tells git commands that only read from those that change things and from those that always ask. */

import { quote } from "../../../shared/foreign-words.ts";
import { opaque } from "../bounded/opaque-reasons.ts";
import { type FlagProfile, type ProfileReading, readProfile } from "../profiles/flag-profile.ts";
import { asksForSignature, gitReading } from "../profiles/git-reading.ts";
import type { ShellWord } from "../shell-word.ts";
import { type FlagGuard, findFlag } from "./flag-guard.ts";

/** What a git command is. `words` begin with `git` and the subcommand, harmless global options removed. */
type GitReading =
  | { kind: "ask"; reason: string }
  | { kind: "version" }
  | { kind: "read"; words: ShellWord[]; reading: ProfileReading }
  | { kind: "change"; words: ShellWord[] };

const harmlessGlobals = new Set([
  "--no-pager",
  "-P",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--no-replace-objects",
]);

const startsPrograms =
  "patch interactive output ext-diff textconv exec upload-pack receive-pack open-files-in-pager config template no-index unsafe-paths git-dir work-tree exec-path extcmd tool run-command help";

function guard(long: string, short: string, valued: string, reason: string): FlagGuard {
  return { long: `${long} ${startsPrograms} force`.trim().split(" "), short: `${short}f`, valued, reason };
}

const loses = "It can throw away work or history, start another program, or print what files hold.";

/** A strategy is a program of that name (`git-merge-NAME`), and its options say whose changes are dropped. */
const strategy = "strategy strategy-option";

/** Changing subcommands that a rule may cover, with the flags that always ask. */
const changes: Record<string, FlagGuard> = {
  add: guard(
    "edit",
    "pie",
    "",
    "It forces ignored files in, starts another program, or prints what files hold.",
  ),
  commit: guard("verbose", "pv", "mFCctSu", loses),
  push: guard(
    "force-with-lease force-if-includes mirror delete prune",
    "d",
    "o",
    "It overwrites or deletes what others see.",
  ),
  pull: guard(strategy, "sX", "j", loses),
  fetch: guard("", "", "jo", loses),
  merge: guard(strategy, "sX", "mF", loses),
  rebase: guard(`${strategy} exec edit-todo show-current-patch`, "sXxi", "C", loses),
  "cherry-pick": guard(strategy, "X", "m", loses),
  revert: guard(strategy, "X", "m", loses),
  stash: guard("", "p", "m", loses),
  reset: guard("hard merge keep", "p", "", "It throws away uncommitted work, or prints it."),
  restore: guard("", "p", "s", loses),
  checkout: guard("discard-changes", "Bp", "b", loses),
  switch: guard("discard-changes force-create", "Cp", "c", loses),
  rm: guard("", "", "", loses),
  mv: guard("", "", "", loses),
  tag: guard("delete verify", "dFv", "mu", loses),
  branch: guard("delete edit-description", "DMC", "u", loses),
  clone: guard("separate-git-dir", "uc", "bojt", "It can start another program."),
  init: guard("separate-git-dir", "", "b", "It can copy hooks."),
  "format-patch": guard(
    "output-directory stdout",
    "o",
    "v",
    "It writes files elsewhere, or prints what they hold.",
  ),
  worktree: guard("", "", "b", loses),
  "ls-remote": guard("", "", "", "It can start another program."),
};

/** What they write stands in a file, as with `patch`: also files that steer other programs. */
const namesInside = new Set(["apply", "am", "quiltimport"]);

const namesOnly = /^--(?:stat|numstat|shortstat|name-only|name-status)$/;

function tellsNames(args: readonly ShellWord[]): boolean {
  const flags = args.filter(({ value }) => value.startsWith("-"));
  return flags.length > 0 && flags.every(({ value }) => namesOnly.test(value));
}

/** Options of what fetches that may take the next word, in any shortened form; some of them take none. */
const mayTakeNext = /^--(?:de|sh|ref|j|neg|fi|sort)[a-z-]*$|^-j$/;

/** Whether the repository is named by where it lies and not by a remote's name; behind it stands what is fetched. */
function namesAddress(args: readonly string[]): boolean {
  const operands = args.filter((arg) => !arg.startsWith("-"));
  const others = args.filter((arg, at) => !arg.startsWith("-") && !mayTakeNext.test(args[at - 1] ?? ""));
  return [operands[0], others[0]].some((operand) => operand !== undefined && /:|^[./~]/.test(operand));
}

function describeChange(subcommand: string, args: readonly ShellWord[]): string | undefined {
  const operands = args.map((word) => word.value).filter((value) => !value.startsWith("-"));
  if (subcommand === "push" && operands.some((value) => /^[+:]/.test(value)))
    return "A refspec forces or deletes.";
  if (subcommand === "push" && operands.some((value) => /:\/\/|@.*:|^[./~]/.test(value))) {
    return "It pushes to an address that is not one of the repository's remotes.";
  }
  if (subcommand === "stash" && /^(?:drop|clear)$/.test(operands[0] ?? ""))
    return "It throws stashed work away.";
  if (subcommand === "stash" && operands[0] === "show" && !tellsNames(args.slice(1)))
    return "It may print what was stashed, whatever it is. With --stat alone it tells names only.";
  if (subcommand === "worktree" && /^(?:remove|prune)$/.test(operands[0] ?? ""))
    return "It removes a working tree.";
  if (/^(?:fetch|pull|ls-remote)$/.test(subcommand) && namesAddress(args.map((word) => word.value)))
    return "It fetches from an address that is not one of the repository's remotes.";
  return undefined;
}

const harmlessSetting =
  /^(?:user\.(?:name|email)|core\.(?:editor|autocrlf|ignorecase|filemode|bare|eol)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.default|branch\.[\w./-]+\.(?:remote|merge)|commit\.gpgsign|merge\.conflictstyle|diff\.tool|color\.ui|fetch\.prune)$/i;

/** `config [--get] NAME`, for settings that hold no address and no password. A second word would set it. */
function isHarmlessSetting(args: readonly string[]): boolean {
  const names = args[0] === "--get" ? args.slice(1) : args;
  return names.length === 1 && harmlessSetting.test(names[0]!);
}

/** With one of these, `git tag` and `git branch` take every further word for a pattern or a commit, and make nothing. */
const lists = /^--(?:list|merged|no-merged|contains|no-contains|points-at)(?:=|$)/;

function profileOf(subcommand: string, args: readonly ShellWord[]): FlagProfile | undefined {
  if (!Object.hasOwn(gitReading, subcommand)) return undefined;
  const profile = gitReading[subcommand]!;
  const filters =
    /^(?:tag|branch)$/.test(subcommand) &&
    args.some(({ value }) => lists.test(value) || (subcommand === "tag" && value === "-l"));
  return filters ? { ...profile, operands: "metadata" } : profile;
}

function readSubcommand(words: ShellWord[]): GitReading {
  const subcommand = words[1]!.value;
  const args = words.slice(2);
  if (args.some((word) => /^(?:ext|fd)::/.test(word.value)))
    return { kind: "ask", reason: "The address starts a program." };
  const listing = subcommand === "stash" && args[0]?.value === "list" ? args.slice(1) : undefined;
  if (listing) return { kind: "read", words, reading: readProfile(gitReading.log!, listing, "gnu") };
  if (namesInside.has(subcommand)) return { kind: "ask", reason: `git ${subcommand}: ${opaque.namedInside}` };
  if (subcommand === "config" && isHarmlessSetting(args.map((word) => word.value)))
    return { kind: "read", words, reading: { content: [], metadata: [], patterns: [], flags: new Set() } };
  if (subcommand === "reflog" && !/^(?:[a-z]+)$/.test(args[0]?.value ?? ""))
    return { kind: "read", words, reading: readProfile(gitReading.log!, args, "gnu") };
  if (subcommand === "worktree" && args.length === 1 && args[0]!.value === "list")
    return { kind: "read", words, reading: readProfile({ operands: "text" }, args, "gnu") };
  const profile = profileOf(subcommand, args);
  const change = Object.hasOwn(changes, subcommand) ? changes[subcommand] : undefined;
  if (profile) {
    const reading = readProfile(profile, args, "gnu");
    if (reading.problem === undefined || change === undefined) return { kind: "read", words, reading };
  }
  if (change === undefined) {
    return {
      kind: "ask",
      reason: `git ${quote(subcommand)} may be an alias, or changes how git itself works.`,
    };
  }
  const flag = findFlag(change, args);
  if (flag !== undefined)
    return { kind: "ask", reason: `git ${quote(subcommand)} ${quote(flag)}: ${change.reason}` };
  const reason = describeChange(subcommand, args);
  return reason === undefined ? { kind: "change", words } : { kind: "ask", reason };
}

/** Reads a unit whose program is git. */
export function readGit(words: readonly ShellWord[]): GitReading {
  let at = 1;
  while (harmlessGlobals.has(words[at]?.value ?? "")) at += 1;
  const first = words[at];
  if (first === undefined) return { kind: "ask", reason: "git without a subcommand says nothing." };
  if ((first.value === "--version" || first.value === "version") && words.length === at + 1)
    return { kind: "version" };
  if (first.value.startsWith("-")) {
    return {
      kind: "ask",
      reason: `git ${quote(first.value)}: an option before the subcommand can point git elsewhere or start a program.`,
    };
  }
  const formats = words.some(
    ({ value }) =>
      asksForSignature.test(value) || /%\(\*?signature|^(?:--sort=)?-?\*?signature(?::\w+)?$/i.test(value),
  );
  if (formats) return { kind: "ask", reason: "It has signatures checked, which another program does." };
  return readSubcommand([words[0]!, ...words.slice(at)]);
}
