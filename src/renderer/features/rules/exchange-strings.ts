/** The words about rules of other programs. */
import {
  type ImportedEntry,
  type RuleFormat,
  ruleFormatNames,
} from "../../../shared/contract/rule-exchange.ts";

const where: Record<RuleFormat, string> = {
  "claude-code": "The permissions in a settings.json, such as ~/.claude/settings.json.",
  codex: "A file of prefix rules, such as ~/.codex/rules/default.rules.",
  vscode: "chat.tools.terminal.autoApprove in a settings.json.",
};
const files: Record<RuleFormat, string> = {
  "claude-code": "claude-settings.json",
  codex: "countersign.rules",
  vscode: "vscode-settings.json",
};
const outcomes: Record<ImportedEntry["outcome"], string> = {
  taken: "taken",
  narrowed: "narrowed",
  refused: "refused",
};

export const exchangeStrings = {
  programs: ruleFormatNames,
  where,
  files,
  outcomes,
  program: "Program",
  exchange: "Other programs",
  importRules: "Take over rules…",
  exportRules: "Write rules for another program…",
  importTitle: "Take over rules",
  importText:
    "Nothing becomes wider: what asks or is stopped there does not run by a rule that came from there. Rules that allow hold only for commands written just so.",
  choose: "Choose a file…",
  chooseLabel: "Rules of another program",
  tooLarge: (kilobytes: number) => `The file is larger than ${kilobytes} KB.`,
  outcome: (taken: number, narrowed: number, refused: number) =>
    `${taken} taken, ${narrowed} narrowed, ${refused} refused.`,
  entries: "Entries of the file",
  known: "You have it already.",
  unread: "Look at the list to its end.",
  take: (count: number) => (count === 1 ? "Take 1 rule" : `Take ${count} rules`),
  saved: (count: number) => (count === 1 ? "1 rule is in force." : `${count} rules are in force.`),
  exportTitle: "Write rules for another program",
  exportText:
    "By their words they let nothing run there that yours do not name. What always asks here, such as secrets and what leaves this machine, is no rule and not part of it.",
  text: "The rules as text",
  saveFile: "Save as a file",
  left: "Left out",
};
