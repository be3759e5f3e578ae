/** Takes off the programs that only start another program, so that the other program is what gets judged. */
import { opaque } from "./bounded/opaque-reasons.ts";
import type { ShellWord } from "./shell-word.ts";

/** What is behind a wrapper: words of a command, a script in a string, or nothing that can be known. */
export type Unwrapped =
  | { kind: "plain" }
  | { kind: "command"; words: ShellWord[]; environment: ShellWord[]; writesOutputFile: boolean }
  | { kind: "script"; script: string; dialect: "bash" | "sh" }
  | { kind: "opaque"; reason: string };

const assignment = /^[A-Za-z_]\w*=/;
const duration = /^\d+(?:\.\d+)?[smhd]?$/;
const signal = /^[A-Z0-9]+$/;

type Values = readonly string[];

/** How many words belong to the wrapper itself (with the environment it sets), or why that is unclear. */
type Prefix = { skip: number; environment?: number } | "unclear";

function skipEnv(args: Values): Prefix {
  let at = args[0] === "--" ? 1 : 0;
  const first = at;
  while (at < args.length && assignment.test(args[at]!)) at += 1;
  return args[at]?.startsWith("-") ? "unclear" : { skip: at, environment: first };
}

function skipNice(args: Values): Prefix {
  if (args[0] === "-n" && /^-?\d+$/.test(args[1] ?? "")) return { skip: 2 };
  return /^(?:-n?-?\d+|--adjustment=-?\d+)$/.test(args[0] ?? "") ? { skip: 1 } : { skip: 0 };
}

function skipTimeout(args: Values): Prefix {
  let at = 0;
  for (; args[at]?.startsWith("-"); at += 1) {
    const arg = args[at]!;
    if (/^(?:--preserve-status|--foreground|-v|--verbose|--)$/.test(arg)) continue;
    if (/^(?:--kill-after=[\d.]+[smhd]?|--signal=[A-Z0-9]+|-k[\d.]+[smhd]?|-s[A-Z0-9]+)$/.test(arg)) continue;
    if (arg === "-k" && duration.test(args[at + 1] ?? "")) at += 1;
    else if (arg === "-s" && signal.test(args[at + 1] ?? "")) at += 1;
    else return "unclear";
  }
  return duration.test(args[at] ?? "") ? { skip: at + 1 } : "unclear";
}

function skipStdbuf(args: Values): Prefix {
  let at = 0;
  for (; args[at]?.startsWith("-"); at += 1) {
    if (/^-[ioe](?:L|0|\d+[KMG]?)$/.test(args[at]!)) continue;
    if (/^--(?:input|output|error)=(?:L|0|\d+[KMG]?)$/.test(args[at]!)) continue;
    if (/^-[ioe]$/.test(args[at]!) && /^(?:L|\d+[KMG]?)$/.test(args[at + 1] ?? "")) at += 1;
    else return "unclear";
  }
  return { skip: at };
}

function skipXcrun(args: Values): Prefix {
  let at = 0;
  for (; args[at]?.startsWith("-"); at += 1) {
    if (/^--?(?:run|log|verbose|no-cache)$|^-[rlvn]$/.test(args[at]!)) continue;
    if (/^--?(?:sdk|toolchain)$/.test(args[at]!) && /^[\w.]+$/.test(args[at + 1] ?? "")) at += 1;
    else return "unclear";
  }
  return { skip: at };
}

const wrappers: Record<string, (args: Values) => Prefix> = {
  env: skipEnv,
  nice: skipNice,
  nohup: (args) => ({ skip: args[0] === "--" ? 1 : 0 }),
  timeout: skipTimeout,
  stdbuf: skipStdbuf,
  command: (args) => ({ skip: args[0] === "--" ? 1 : 0 }),
  time: () => ({ skip: 0 }),
  xcrun: skipXcrun,
};

const shells: Record<string, "bash" | "sh"> = { bash: "bash", sh: "sh", dash: "sh" };

function unwrapShell(words: ShellWord[], dialect: "bash" | "sh"): Unwrapped {
  const reason = opaque.shell;
  let at = 1;
  for (; at < words.length; at += 1) {
    const value = words[at]!.value;
    if (/^-[eu]*c$/.test(value)) break;
    if (value === "-o" && words[at + 1]?.value === "pipefail") at += 1;
    else if (!/^-[eu]+$/.test(value)) return { kind: "opaque", reason };
  }
  const script = words[at + 1];
  if (script === undefined || words.some((word) => word.problem !== undefined || word.glob))
    return { kind: "opaque", reason };
  if (script.value.startsWith("-") || script.value.startsWith("+")) return { kind: "opaque", reason };
  return { kind: "script", script: script.value, dialect };
}

/** Commands that only the shell itself has; a program of the same name, where there is one, does something else. */
const shellBuiltins = new Set(
  "cd pushd popd dirs set unset export readonly declare typeset local shopt alias unalias exit return break continue shift wait jobs bg fg type command builtin hash eval exec source . : trap times ulimit umask read mapfile readarray let getopts enable history fc bind complete compgen compopt caller disown logout suspend [[ time".split(
    " ",
  ),
);

/** The name of the shell's own command that the words begin with, if they do. */
export function findShellBuiltin(words: readonly ShellWord[]): string | undefined {
  const name = words[0]?.value ?? "";
  const bare = name.slice(name.lastIndexOf("/") + 1);
  return shellBuiltins.has(bare) ? bare : undefined;
}

/**
 * Removes one wrapper from the front of a command.
 *
 * @param name the program's name as decoded and stripped of a trusted directory
 */
export function unwrapCommand(name: string, words: ShellWord[]): Unwrapped {
  const shell = shells[name];
  if (shell)
    return words.length === 2 && words[1]!.value === "--version"
      ? { kind: "plain" }
      : unwrapShell(words, shell);
  if (name === "command" && /^-[vV]$/.test(words[1]?.value ?? "")) return { kind: "plain" };
  const skip = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (skip === undefined) return { kind: "plain" };
  const args = words.slice(1);
  const prefix = skip(args.map((word) => (word.problem === undefined && !word.glob ? word.value : "-?")));
  const unclear = {
    kind: "opaque",
    reason: `The options of ${name} are not ones that are known to be harmless.`,
  } as const;
  if (prefix === "unclear" || args[prefix.skip]?.value.startsWith("-")) return unclear;
  if (args.length <= prefix.skip) {
    const reason =
      name === "env" ? "env prints the whole environment, secrets included." : `${name} starts no command.`;
    return { kind: "opaque", reason };
  }
  const environment = prefix.environment === undefined ? [] : args.slice(prefix.environment, prefix.skip);
  return { kind: "command", words: args.slice(prefix.skip), environment, writesOutputFile: name === "nohup" };
}
