/** Makes token-prefix rules: reads them, and refuses those that would silence an asking class. */
import { type Command, parse } from "unbash";
import type { ShellKind } from "../../shared/command-shell.ts";
import { posixStyle } from "../paths/posix-style.ts";
import { windowsStyle } from "../paths/windows-style.ts";
import { isAlwaysExact } from "./exact-rules.ts";
import { isForAnyProgram } from "./guards/started-programs.ts";
import { judgeUnconfirmed } from "./judge-unconfirmed.ts";
import type { CommandRule } from "./policy-context.ts";
import { parsePowerShellRule, writePowerShellRule } from "./powershell/rule-words.ts";
import { decodeWord } from "./shell-word.ts";
import { needsSubcommand } from "./subcommands.ts";
import { readUnitName } from "./unit-name.ts";
import { unwrapCommand } from "./wrapper.ts";

/** A text read as a token prefix, or why it is none. */
type ParsedRule = { tokens: string[] } | { problem: string };

const noHome = { home: "\0", pwd: undefined };

/** Reads a rule's text: one plain command, its words literal, without operators, variables or patterns. */
export function parseCommandRule(text: string, shell: ShellKind): ParsedRule {
  return shell === "powershell" ? parsePowerShellRule(text) : parseBashRule(text);
}

function parseBashRule(text: string): ParsedRule {
  const script = parse(text);
  const only = script.commands[0]?.command;
  if (script.commands.length !== 1 || only?.type !== "Command" || (script.errors ?? []).length > 0) {
    return { problem: "A rule is the beginning of one plain command, such as: npm test" };
  }
  const command: Command = only;
  if (
    command.name === undefined ||
    command.prefix.length > 0 ||
    command.redirects.length > 0 ||
    script.commands[0]!.background
  ) {
    return { problem: "A rule holds no redirections, variables or operators." };
  }
  const words = [command.name, ...command.args].map((word) => decodeWord(word.text, noHome));
  const odd = words.find(
    (word) => word.problem !== undefined || word.glob || word.value === "" || word.value.includes("\0"),
  );
  if (odd)
    return { problem: `The word ${odd.text} is not literal. Rules match words exactly, without patterns.` };
  return { tokens: words.map((word) => word.value) };
}

/** Writes tokens as the text that reads back as the same tokens. */
export function writeRuleText(tokens: readonly string[], shell: ShellKind): string {
  return shell === "powershell" ? writePowerShellRule(tokens) : writeBashRule(tokens);
}

function writeBashRule(tokens: readonly string[]): string {
  return tokens
    .map((token) => (/^[\w@%+=:,./-]+$/.test(token) ? token : `'${token.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/**
 * Why a rule must not exist, or undefined. Rules that ask or deny are always fine; a rule that allows may not stand
 * for an interpreter, a wrapper, a bare multi-command tool, or anything that asks or never runs.
 */
export function checkRule(
  rule: Pick<CommandRule, "tokens" | "effect">,
  shell: ShellKind,
): string | undefined {
  const first = rule.tokens[0];
  if (first === undefined || rule.tokens.some((token) => token === "")) return "The rule has no words.";
  if (rule.effect !== "allow") return undefined;
  const problem = shell === "powershell" ? checkPowerShellName(rule.tokens) : checkBashName(rule.tokens);
  if (problem !== undefined) return problem;
  if (rule.tokens.length === 1 && isAlwaysExact(first) && !needsSubcommand.has(first))
    return `${first} alone is too wide. Write the whole command.`;
  if (rule.tokens.length === 1 && needsSubcommand.has(first)) {
    return `${first} alone is too wide. Add its subcommand, such as: ${first} ${first === "git" ? "status" : "test"}`;
  }
  if (isForAnyProgram(rule.tokens)) return `${rule.tokens.join(" ")} starts any program. Add which one.`;
  const { verdict, units } = judgeUnconfirmed(writeRuleText(rule.tokens, shell), {
    ...(shell === "powershell" ? onWindows : elsewhere),
    trusted: true,
    rules: [],
    protectedDirs: [],
    shell,
    tools: "gnu",
  });
  if (verdict === "ask" || verdict === "deny") {
    return `This always ${verdict === "ask" ? "asks" : "stops"}, so no rule can allow it. ${units.find((each) => each.verdict === verdict)!.reason}`;
  }
  return undefined;
}

const elsewhere = {
  paths: posixStyle,
  workspace: "/workspace/project",
  cwd: "/workspace/project",
  home: "/home/person",
};
const onWindows = {
  paths: windowsStyle,
  workspace: "/c:/workspace/project",
  cwd: "/c:/workspace/project",
  home: "/c:/Users/person",
};

/** What the first word of a rule must be for it ever to match. */
function checkBashName(tokens: readonly string[]): string | undefined {
  const first = tokens[0]!;
  const words = tokens.map((token) => decodeWord(writeBashRule([token]), noHome));
  const name = readUnitName(words[0]!);
  if ("problem" in name) return name.problem;
  if (name.name !== first) return writeInstead(name.name, first);
  if (unwrapCommand(first, words).kind !== "plain")
    return `${first} starts other programs. Make the rule for the program it starts.`;
  return undefined;
}

function checkPowerShellName(tokens: readonly string[]): string | undefined {
  const parsed = parsePowerShellRule(writePowerShellRule(tokens));
  if ("problem" in parsed) return parsed.problem;
  return parsed.tokens[0] === tokens[0] ? undefined : writeInstead(parsed.tokens[0]!, tokens[0]!);
}

const writeInstead = (name: string, first: string) =>
  `Write ${name} instead of ${first}: rules match the program's name.`;
