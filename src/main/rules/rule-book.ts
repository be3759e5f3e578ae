/** The rules a person keeps: listed, added, removed, previewed against the past and proposed for what waits. */
import { randomUUID } from "node:crypto";
import type { ShellKind } from "../../shared/command-shell.ts";
import type { ApprovalDetail } from "../../shared/contract/approvals.ts";
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { Rule } from "../../shared/contract/rules.ts";
import type { RuleId, ThreadId } from "../../shared/ids.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import { checkRule, parseCommandRule } from "../policy/command-rule.ts";
import { isExactRule } from "../policy/exact-rules.ts";
import { checkFileRule } from "../policy/file-rule.ts";
import type { PolicyContext } from "../policy/policy-context.ts";
import type { RuleProblem } from "../policy/rules-file.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { judging } from "./judging-thread.ts";
import { makePolicyContext } from "./policy-context.ts";
import {
  type PastParts,
  type PreviewParts,
  previewConfined,
  previewPast,
  previewWaiting,
  suggestRules,
  type WaitingCommand,
} from "./preview-past.ts";
import { type RulesInForce, readEntry, showEntry } from "./rule-entries.ts";
import { exportRules, importRules } from "./rule-exchange.ts";
import { createRulesInForce, type RulePlace, type RulesInForceParts } from "./rules-in-force.ts";
import { openUserRulesFile } from "./user-rules-file.ts";

export type RuleBook = {
  /** Every rule that holds in a thread: its own, its workspace's (the person's and the folder's own) and the user's. */
  inForce(place: RulePlace): RulesInForce;
  list(): Output<"rules.list">;
  /** @param waiting the commands that wait for a person now. */
  preview(
    rule: ParsedInput<"rules.preview">,
    waiting: readonly WaitingCommand[],
  ): Promise<Output<"rules.preview">>;
  /** What the person would not have been asked about, had uncovered commands run confined. */
  previewConfined(workspace: string | undefined): ReturnType<typeof previewConfined>;
  /** The few rules that would have answered most so far, without those that were declined in their folder. */
  suggest(declinedIn: (workspace: string) => readonly string[]): Promise<Output<"rules.suggest">>;
  add(rule: ParsedInput<"rules.add">): Rule;
  remove(id: RuleId): void;
  import(asked: ParsedInput<"rules.import">): Output<"rules.import">;
  export(asked: ParsedInput<"rules.export">): Output<"rules.export">;
  /** The most useful rule for a waiting command, or why there can be none. */
  propose(row: ApprovalRow, thread: ThreadRow): Promise<ApprovalDetail["proposal"]>;
  /** What is wrong in the rules file, in sentences. */
  problems(): RuleProblem[];
};

export type RuleBookParts = Omit<RulesInForceParts, "readOwn"> & PastParts & { dataDir: string };

/** Over `rules.json` in the data directory and the files of trusted folders, read anew whenever one changed. */
export function createRuleBook(parts: RuleBookParts): RuleBook {
  const { dataDir, shell, isTrusted } = parts;
  const file = openUserRulesFile(dataDir, shell);
  const inForce = createRulesInForce({ ...parts, readOwn: file.readText });

  function contextOf(workspace: string, threadId: ThreadId | undefined): PolicyContext {
    const rules = inForce({ id: threadId, workspace }).commands;
    return makePolicyContext({ workspace, dataDir, shell, trusted: isTrusted(workspace), rules });
  }

  const list = () => ({
    rules: file.readEntries().flatMap((entry) => showEntry(entry, shell) ?? []),
    file: file.path,
    problems: file.problems(),
  });

  return {
    inForce,
    list,
    problems: file.problems,
    preview: (rule, waiting) => preview(rule, waiting, { ...parts, contextOf }),
    previewConfined(workspace) {
      const uncoveredAsk = (folder: string) =>
        inForce({ id: undefined, workspace: folder }).uncoveredAsk ?? false;
      return previewConfined(workspace, { ...parts, contextOf, uncoveredAsk });
    },
    suggest: (declinedIn) => suggestRules({ ...parts, contextOf }, declinedIn),
    add(asked) {
      // A worktree goes; what was decided in it is about the folder that it was made for.
      const rule =
        asked.workspace === undefined ? asked : { ...asked, workspace: parts.originOf(asked.workspace) };
      const entry = toNewEntry(`rule-${randomUUID()}` as RuleId, rule, checkNewRule(rule, shell));
      file.change((rules) => [...rules, entry]);
      return list().rules.find((one) => one.id === entry.id)!;
    },
    remove(id) {
      if (!file.readEntries().some((entry) => entry.id === id))
        throw new ContractError("not-found", "This rule does not exist any more.", { field: "id" });
      file.change((rules) => rules.filter((raw) => readEntry(raw).id !== id));
    },
    import: (asked) => importRules(asked, file, shell),
    export: (asked) => exportRules(asked, file.readEntries(), shell),
    async propose(row, thread) {
      if (kindOf(row.tool) !== "command" || typeof row.args.command !== "string" || row.status !== "pending")
        return undefined;
      const proposal = await judging.propose(row.args.command, contextOf(thread.workspace, thread.id));
      return "text" in proposal ? { rule: proposal.text, exact: proposal.exact } : { why: proposal.reason };
    },
  };
}

/** What is wrong with a rule is part of the answer, since it is asked for while the person types. */
async function preview(
  rule: ParsedInput<"rules.preview">,
  waiting: readonly WaitingCommand[],
  parts: PreviewParts,
): Promise<Output<"rules.preview">> {
  const none = { wouldApprove: 0, ofWhichRejected: 0, samples: [], rejected: [] };
  try {
    const checked = checkNewRule(rule, parts.shell);
    if (!("tokens" in checked)) return { ok: true, ...none };
    const [past, waits] = await Promise.all([
      previewPast(rule, checked, parts),
      previewWaiting(rule, checked, waiting, parts),
    ]);
    return { ok: true, exact: checked.exact, ...past, waiting: waits };
  } catch (error) {
    if (error instanceof ContractError) return { ok: false, message: error.message, ...none };
    throw error;
  }
}

type NewRule = ParsedInput<"rules.add">;
/** What a rule was understood as: words of a command, or patterns of files. */
type CheckedRule = { tokens: string[]; exact: boolean } | { paths: string[] };

/** @throws ContractError `invalid-input` that names the field and says what is wrong with it. */
function checkNewRule(rule: NewRule, shell: ShellKind): CheckedRule {
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
function toNewEntry(id: RuleId, rule: NewRule, checked: CheckedRule): Record<string, unknown> {
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
