/** Proposes the rule that would cover a command, for a person to edit, or says why there can be none. */
import type { ShellKind } from "../../shared/command-shell.ts";
import { collectUnits } from "./collect-units.ts";
import { checkRule, writeRuleText } from "./command-rule.ts";
import { needsWholeCommand } from "./exact-rules.ts";
import { judgeCommand } from "./judge-command.ts";
import { judgeUnit } from "./judge-unit.ts";
import type { CommandRule, PolicyContext } from "./policy-context.ts";
import { findCmdlet } from "./powershell/cmdlets.ts";
import { judgePipeline } from "./powershell/judge-pipeline.ts";
import { readPipeline } from "./powershell/read-pipeline.ts";
import { wordsOf } from "./powershell/rule-words.ts";
import type { ShellWord } from "./shell-word.ts";
import { needsSubcommand } from "./subcommands.ts";
import type { UnitVerdict } from "./verdict.ts";

/** A rule that would cover a command, for a person to edit, or why there can be none. */
export type RuleProposal =
  | { tokens: string[]; exact: boolean; text: string; unit: string }
  | { reason: string };

const threeWords =
  /^(?:npm|pnpm|yarn) run$|^git (?:remote|stash|worktree)$|^(?:dotnet|uv|poetry) run$|^gh \S+$|^prisma (?:migrate|db)$|^dotnet ef$|^nx run$|^(?:poetry|conda|mamba) env$/;
const bareTools = new Set(
  "make gmake pytest vitest jest tsc eslint biome prettier ruff mypy rspec phpunit ctest".split(" "),
);
/** A cmdlet's words say what is done to what; so do those of some programs. */
function isWholeOnly(words: readonly string[], shell: ShellKind): boolean {
  return needsWholeCommand(words) || (shell === "powershell" && findCmdlet(words[0] ?? "") !== undefined);
}

/** A flag, or whose folder it is, says nothing of what is done there. */
function isSubcommand(name: string, second: string | undefined): second is string {
  if (second === undefined || second.startsWith("-")) return false;
  return needsSubcommand.has(name) && `${name} ${second}` !== "yarn workspace";
}

/** The shortest beginning that still says what is done; all words where each of them says to what. */
function chooseTokens(words: readonly string[], shell: ShellKind): string[] {
  const [name, second] = words;
  if (name === undefined) return [];
  if (isWholeOnly(words, shell)) return [...words];
  if (words.length >= 3 && threeWords.test(`${name} ${second}`)) return words.slice(0, 3);
  if (bareTools.has(name))
    return second !== undefined && /^[a-z][\w:-]*$/.test(second) ? [name, second] : [name];
  if (isSubcommand(name, second)) return [name, second];
  const isWord = second !== undefined && /^[a-z][a-z0-9:_-]*$/.test(second);
  return isWord && !needsSubcommand.has(name) ? [name, second] : [...words];
}

/** Whether the chosen words are a program with its subcommand, which further words may follow. */
function isPrefixWorth(tokens: readonly string[], words: number): boolean {
  const [name = "", second] = tokens;
  return bareTools.has(name) || tokens.length < words || isSubcommand(name, second);
}

/** A part of a command, what was said of it, and what would be under one more rule. */
type Part = {
  unit: UnitVerdict;
  words: readonly ShellWord[];
  under(rules: PolicyContext["rules"]): UnitVerdict;
};

function partsOf(command: string, context: PolicyContext): Part[] {
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
export function proposeRule(command: string, context: PolicyContext): RuleProposal {
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
    const words = judged.words.map((word) => word.value);
    const tokens = chooseTokens(words, shell);
    const problem = checkRule({ tokens, effect: "allow" }, shell);
    if (problem !== undefined) return { reason: problem };
    const exact = isWholeOnly(tokens, shell) || !isPrefixWorth(tokens, words.length);
    const under = (proposed: Pick<CommandRule, "tokens" | "exact">) => {
      const text = writeRuleText(proposed.tokens, shell);
      const rule = { ...proposed, text, id: "proposed", effect: "allow", scope: "thread" } as const;
      return { text, judged: judged.under([...context.rules, rule]) };
    };
    const { text, judged: then } = under({ tokens, exact });
    if (then.verdict === "covered") return { tokens, exact, text, unit: judged.unit.text };
    // An option behind the beginning writes what others obey: a rule that names it is one that a person saw.
    const whole = under({ tokens: words, exact: true });
    if (whole.judged.verdict === "covered")
      return { tokens: words, exact: true, text: whole.text, unit: judged.unit.text };
    const elsewhere = exact && then.verdict === "new";
    return {
      reason: elsewhere
        ? "A rule for this whole command holds only in the workspace's own folder, without redirections."
        : then.reason,
    };
  }
  return { reason: "The command needs no further rule." };
}
