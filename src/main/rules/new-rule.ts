/** A rule as a person asks for it: whether it can be one, and the entry it becomes. */
import type { ShellKind } from "../../shared/command-shell.ts";
import type { ParsedInput } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { RuleId } from "../../shared/ids.ts";
import { checkRule, parseCommandRule } from "../policy/command-rule.ts";
import { isExactRule } from "../policy/exact-rules.ts";
import { checkFileRule } from "../policy/file-rule.ts";

type NewRule = ParsedInput<"rules.add">;
/** What a rule was understood as: words of a command, or patterns of files. */
export type CheckedRule = { tokens: string[]; exact: boolean } | { paths: string[] };

/** @throws ContractError `invalid-input` that names the field and says what is wrong with it. */
export function checkNewRule(rule: NewRule, shell: ShellKind): CheckedRule {
  if (rule.scope === "thread" && !rule.threadId)
    throw invalid("threadId", "A rule for one thread needs the thread.");
  if (rule.scope === "workspace" && !rule.workspace)
    throw invalid("workspace", "A rule for one workspace needs the workspace.");
  if (rule.target === "file") {
    const problem = checkFileRule({ paths: [rule.text], operations: ["write"], effect: rule.effect });
    if (problem) throw invalid("text", problem);
    return { paths: [rule.text] };
  }
  const parsed = parseCommandRule(rule.text, shell);
  if ("problem" in parsed) throw invalid("text", parsed.problem);
  const { tokens } = parsed;
  const problem = checkRule({ tokens, effect: rule.effect }, shell);
  if (problem) throw invalid("text", problem);
  return { tokens, exact: isExactRule({ tokens, effect: rule.effect, exact: rule.exact }) };
}

/** How the rule is written into `rules.json`. */
export function toNewEntry(id: RuleId, rule: NewRule, checked: CheckedRule): Record<string, unknown> {
  const what =
    "tokens" in checked
      ? { command: rule.text, ...writeExtent(checked.exact, rule.exact) }
      : { files: rule.text, operations: ["write"] };
  return { id, effect: rule.effect, ...what, ...writePlace(rule) };
}

function writePlace({ scope, threadId, workspace }: NewRule): { thread?: string; workspace?: string } {
  if (scope === "thread") return { thread: threadId };
  return scope === "workspace" ? { workspace } : {};
}

/** Written where it is not what anybody would expect of the rule's words. */
function writeExtent(exact: boolean, asked: boolean | undefined): { exact?: boolean } {
  if (exact) return { exact };
  return asked === false ? { exact: false } : {};
}

function invalid(field: string, message: string): ContractError {
  return new ContractError("invalid-input", message, { field });
}
