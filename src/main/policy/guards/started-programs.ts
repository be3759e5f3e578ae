/** Programs that start the one which stands among their words, so that a rule for them is a rule for that one. */

import { quote } from "../../../shared/foreign-words.ts";
import { opaque } from "../bounded/opaque-reasons.ts";
import type { ShellWord } from "../shell-word.ts";
import { findAskingProgram } from "./asking-programs.ts";

const starters = new Map<string, RegExp>(
  Object.entries({
    "uv poetry pipenv pdm hatch rye conda mamba micromamba": /^run$/,
    "bundle stack cabal opam dune lerna nx mise rtx rbenv pyenv asdf volta fnm nvm": /^(?:exec|x|run)$/,
    dotnet: /^exec$/,
    "yarn pnpm npm": /^(?:exec|dlx)$/,
  }).flatMap(([names, subcommand]) => names.split(" ").map((name) => [name, subcommand] as const)),
);

/** The next word is a program in source form, which is judged as a file. */
const runsSource = /^(?:go run|mix run|coverage run|dart run|flutter pub|zig run|nim r)$/;

/** Whether a program with these words starts what comes next. */
export function startsNext(words: readonly string[]): boolean {
  const [name = "", subcommand = ""] = words;
  return starters.get(name)?.test(subcommand) === true;
}

/** Whether a rule of these words would be one for any program. */
export function isForAnyProgram(words: readonly string[]): boolean {
  return words.length === 2 && (startsNext(words) || runsSource.test(words.join(" ")));
}

/** Why what such a program starts always asks: nobody can tell which it is, or that program asks by itself. */
export function findStarted(
  name: string,
  args: readonly ShellWord[],
  findUse: (name: string, args: readonly ShellWord[]) => { reason: string; told: string } | undefined,
): { reason: string; told: string } | undefined {
  const [subcommand, program, ...rest] = args;
  if (!startsNext([name, subcommand?.value ?? ""]) || program === undefined) return undefined;
  const plain = /^[\w-]+$/.test(program.value) && !program.value.startsWith("-") && !program.glob;
  const reason = plain ? findAskingProgram(program.value) : opaque.starter;
  if (reason !== undefined)
    return { reason, told: `${name} ${quote(subcommand!.value)} ${quote(program.value)}: ${reason}` };
  return findUse(program.value, rest);
}
