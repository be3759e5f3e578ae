/** Makes token-prefix rules: reads them, refuses those that would silence an asking class, and proposes new ones. */
import { type Command, parse } from "unbash";
import type { ShellKind } from "../../shared/command-shell.ts";
import { collectUnits } from "./collect-units.ts";
import { needsWholeCommand } from "./exact-rules.ts";
import { judgeCommand } from "./judge-command.ts";
import { judgeUnit } from "./judge-unit.ts";
import { findCmdlet } from "./powershell/cmdlets.ts";
import { judgePipeline } from "./powershell/judge-pipeline.ts";
import { readPipeline } from "./powershell/read-pipeline.ts";
import { parsePowerShellRule, wordsOf, writePowerShellRule } from "./powershell/rule-words.ts";
import type { CommandRule, ShellContext } from "./shell-context.ts";
import { decodeWord, type ShellWord } from "./shell-word.ts";
import { readUnitName } from "./unit-name.ts";
import type { UnitVerdict } from "./verdict.ts";
import { unwrapCommand } from "./wrapper.ts";

/** A text read as a token prefix, or why it is none. */
type ParsedRule = { tokens: string[] } | { problem: string };

/** A rule that would cover a command, for a person to edit, or why there can be none. */
type RuleProposal = { tokens: string[]; exact: boolean; text: string; unit: string } | { reason: string };

const needsSubcommand = new Set(
  "git npm pnpm yarn npx cargo go pip pip3 uv poetry gh curl wget dotnet bundle rake mix gradle mvn composer rustup".split(
    " ",
  ),
);
const threeWords =
  /^(?:npm|pnpm|yarn) run$|^git (?:remote|stash|worktree)$|^(?:dotnet|uv|poetry) run$|^gh \S+$/;
const bareTools = new Set(
  "make gmake pytest vitest jest tsc eslint biome prettier ruff mypy rspec phpunit ctest".split(" "),
);
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
  if (rule.tokens.length === 1 && needsSubcommand.has(first)) {
    return `${first} alone is too wide. Add its subcommand, such as: ${first} ${first === "git" ? "status" : "test"}`;
  }
  const { verdict, units } = judgeCommand(writeRuleText(rule.tokens, shell), {
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

const elsewhere = { workspace: "/workspace/project", cwd: "/workspace/project", home: "/home/person" };
const onWindows = { workspace: "/c:/work/project", cwd: "/c:/work/project", home: "/c:/Users/person" };

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

/** A cmdlet's words say what is done to what; so do those of some programs. */
function isWholeOnly(words: readonly string[], shell: ShellKind): boolean {
  return needsWholeCommand(words) || (shell === "powershell" && findCmdlet(words[0] ?? "") !== undefined);
}

/** The shortest beginning that still says what is done; all words where each of them says to what. */
function chooseTokens(words: readonly string[], shell: ShellKind): string[] {
  const [name, second] = words;
  if (name === undefined) return [];
  if (isWholeOnly(words, shell)) return [...words];
  if (words.length >= 3 && threeWords.test(`${name} ${second}`)) return words.slice(0, 3);
  if (bareTools.has(name))
    return second !== undefined && /^[a-z][\w:-]*$/.test(second) ? [name, second] : [name];
  if (second !== undefined && needsSubcommand.has(name)) return [name, second];
  return second !== undefined && /^[a-z][a-z0-9:_-]*$/.test(second) ? [name, second] : [...words];
}

/** Whether the chosen words are a program with its subcommand, which further words may follow. */
function isPrefixWorth(tokens: readonly string[], words: number): boolean {
  const [name = "", second] = tokens;
  if (bareTools.has(name) || tokens.length < words) return true;
  return second !== undefined && needsSubcommand.has(name);
}

/** A part of a command, what was said of it, and what would be under one more rule. */
type Part = {
  unit: UnitVerdict;
  words: readonly ShellWord[];
  under(rules: ShellContext["rules"]): UnitVerdict;
};

function partsOf(command: string, context: ShellContext): Part[] {
  if (context.shell === "bash")
    return collectUnits(command, context).map((unit) => ({
      ...judgeUnit(unit, context),
      under: (rules) => judgeUnit(unit, { ...context, rules }).unit,
    }));
  const reading = readPipeline(command);
  if ("problem" in reading) return [];
  const verdicts = judgePipeline(command, context);
  return reading.commands.map((part, at) => ({
    unit: verdicts[at]!,
    words: wordsOf(part),
    under: (rules) => judgePipeline(command, { ...context, rules })[at]!,
  }));
}

/** Proposes a rule for the first part of a command that none covers yet. */
export function proposeRule(command: string, context: ShellContext): RuleProposal {
  const { shell } = context;
  const { verdict, units } = judgeCommand(command, context);
  if (verdict === "safe" || verdict === "covered") return { reason: "The command needs no further rule." };
  if (verdict !== "new") {
    const worst = units.find((unit) => unit.verdict === verdict)!;
    return { reason: `No rule can allow this. ${worst.reason}` };
  }
  for (const judged of partsOf(command, context)) {
    if (judged.unit.verdict !== "new") continue;
    if (judged.words.length === 0) return { reason: judged.unit.reason };
    if (judged.words.some((word) => word.glob))
      return { reason: "A file pattern stands for other files each time. Write a rule by hand." };
    const tokens = chooseTokens(
      judged.words.map((word) => word.value),
      shell,
    );
    const text = writeRuleText(tokens, shell);
    const problem = checkRule({ tokens, effect: "allow" }, shell);
    if (problem !== undefined) return { reason: problem };
    const exact = isWholeOnly(tokens, shell) || !isPrefixWorth(tokens, judged.words.length);
    const proposed: CommandRule = { id: "proposed", tokens, exact, effect: "allow", scope: "thread", text };
    const then = judged.under([...context.rules, proposed]);
    if (then.verdict === "covered") return { tokens, exact, text, unit: judged.unit.text };
    const elsewhere = exact && then.verdict === "new";
    return {
      reason: elsewhere
        ? "A rule for this whole command holds only in the workspace's own folder, without redirections."
        : then.reason,
    };
  }
  return { reason: "The command needs no further rule." };
}
