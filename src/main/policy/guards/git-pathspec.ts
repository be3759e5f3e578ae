/** Finds git commands that put files back, and with that throw away what was changed in them. */
import { resolvePathIn } from "../path-place.ts";
import type { Scene } from "../policy-context.ts";
import type { ShellWord } from "../shell-word.ts";

const loses = "It puts files back and throws away what was changed in them.";
const makesBranch = /^(?:-b|-B|-t|--orphan|--track|--detach|-d)$/;

/** A word that cannot be the plain name of a branch or commit. */
function namesFiles(word: ShellWord, { context, cwds }: Scene): boolean {
  if (word.glob || /[*?[\\]|^[:./~]|(?:^|\/)\.\.?(?:\/|$)/.test(word.value)) return true;
  return cwds.some((cwd) => {
    const real = resolvePathIn(word.value, cwd, context);
    return real === undefined || (context.look?.isThere(real) ?? false);
  });
}

/**
 * Why a git command that may be covered by a rule still asks: its words name files rather than branches, in whatever
 * spelling, or nobody can tell which of the two they name.
 *
 * @param words begin with `git` and the subcommand
 */
export function findPathspecLoss(words: readonly ShellWord[], scene: Scene): string | undefined {
  const [, subcommand, ...args] = words;
  const operands = args.filter((word) => !word.value.startsWith("-") || word.value === "-");
  const ended = args.some((word) => word.value === "--");
  if (subcommand?.value === "restore") {
    const staged = args.some((word) => /^(?:-S|--staged)$/.test(word.value));
    const tree = args.some((word) => /^(?:-[a-zA-Z]*W|--worktree|-[a-zA-Z]*s|--source)/.test(word.value));
    return staged && !tree ? undefined : loses;
  }
  if (subcommand?.value === "rm") return args.some((word) => namesManyFiles(word)) ? loses : undefined;
  if (subcommand?.value !== "checkout") return undefined;
  if (args.some((word) => /^(?:-p|--patch)/.test(word.value))) return loses;
  if (args.some((word) => makesBranch.test(word.value))) return ended ? loses : undefined;
  return ended || operands.length > 1 || operands.some((word) => namesFiles(word, scene)) ? loses : undefined;
}

function namesManyFiles({ value, glob }: ShellWord): boolean {
  return glob || /[*?[\\]|^:|(?:^|\/)\.\.?(?:\/|$)/.test(value);
}
