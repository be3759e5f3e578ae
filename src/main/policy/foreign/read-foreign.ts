/** Reads rules of other programs; whatever the text is, the answer is entries or the reason why there are none. */
import { longestRulesFile, type RuleFormat } from "../../../shared/contract/rule-exchange.ts";
import { type ForeignRules, mostEntries, mostRules, mostText } from "./foreign-entry.ts";
import { readClaudeCode } from "./read-claude-code.ts";
import { readCodex } from "./read-codex.ts";
import { readVsCode } from "./read-vscode.ts";

const readers: Record<RuleFormat, (text: string) => ForeignRules> = {
  "claude-code": readClaudeCode,
  codex: readCodex,
  vscode: readVsCode,
};

/** @param text hostile, of any length. @returns within the limits of `foreign-entry.ts`, or a sentence why not. */
export function readForeignRules(format: RuleFormat, text: string): ForeignRules {
  if (Buffer.byteLength(text) > longestRulesFile)
    return { problem: `The file is larger than ${longestRulesFile / 1_024} KB.` };
  const read = readers[format](text.replace(/^\uFEFF/, ""));
  if ("problem" in read) return read;
  if (read.entries.length > mostEntries) return { problem: `The file has more than ${mostEntries} entries.` };
  const rules = read.entries.flatMap(({ means }) => (means.kind === "words" ? means.rules : []));
  const length = rules.reduce((sum, { tokens }) => sum + tokens.join(" ").length, 0);
  if (rules.length > mostRules || length > mostText)
    return { problem: "The file stands for too many rules." };
  return read;
}
