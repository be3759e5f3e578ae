/** The rules a person keeps: one readable file per scope, previewed against the past, never able to allow what always asks. */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { z } from "zod";
import type { ShellKind } from "../../shared/command-shell.ts";
import type { ApprovalDetail, Rule } from "../../shared/contract/approvals.ts";
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { RuleId, ThreadId } from "../../shared/ids.ts";
import { keepComments } from "../agent-files/keep-comments.ts";
import { folderRulesFile, readSteeringText } from "../agent-files/steering-texts.ts";
import type { ApprovalRow } from "../approvals/approval-store.ts";
import type { Ledger } from "../approvals/ledger.ts";
import { checkRule, parseCommandRule, writeRuleText } from "../policy/command-rule.ts";
import { isExactRule } from "../policy/exact-rules.ts";
import { checkFileRule, type FileRule } from "../policy/file-rule.ts";
import type { PastRequest } from "../policy/preview-rule.ts";
import { loadRulesFile, type RuleProblem, rulesFileSchema } from "../policy/rules-file.ts";
import type { CommandRule, ShellContext } from "../policy/shell-context.ts";
import { writeAtomically } from "../settings/settings-store.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import type { FolderTrust } from "./folder-trust.ts";
import { judging } from "./judging-thread.ts";
import { makePolicyContext } from "./policy-context.ts";

export type RulesInForce = { commands: CommandRule[]; files: FileRule[] };

export type RuleBook = {
  /** Every rule that holds in a thread: its own, its workspace's (the person's and the folder's own) and the user's. */
  inForce(thread: Pick<ThreadRow, "id" | "workspace">): RulesInForce;
  list(): Output<"rules.list">;
  preview(rule: ParsedInput<"rules.preview">): Promise<Output<"rules.preview">>;
  add(rule: ParsedInput<"rules.add">): Rule;
  remove(id: RuleId): void;
  /** The most useful rule for a waiting command, or why there can be none. */
  propose(row: ApprovalRow, thread: ThreadRow): Promise<ApprovalDetail["proposal"]>;
  /** What is wrong in the rules file, in sentences. */
  problems(): RuleProblem[];
};

export type RuleBookParts = {
  dataDir: string;
  /** Whose language rules are written in. */
  shell: ShellKind;
  ledger: Ledger;
  isTrusted(workspace: string): boolean;
  folderTrust: Pick<FolderTrust, "isAsTrusted" | "trustedText">;
};

/** One entry as it stands in `rules.json`; `workspace` or `thread` narrows where it holds. */
const entrySchema = z.looseObject({
  id: z.string().optional(),
  workspace: z.string().optional(),
  thread: z.string().optional(),
});
type Entry = z.infer<typeof entrySchema>;

const header =
  "// Countersign's rules: deny beats ask beats allow, whatever the scope. The format is described in docs/policy.md.\n";

export function createRuleBook(parts: RuleBookParts): RuleBook {
  const { dataDir, shell } = parts;
  const path = join(dataDir, "rules.json");

  const readText = () => (existsSync(path) ? readFileSync(path, "utf8").replace(/^\uFEFF/, "") : "");

  /** The file as it stands, so that an entry that is refused stays in it for the person to mend. */
  function readRules(text: string): Record<string, unknown> & { rules: unknown[] } {
    const raw: unknown = parse(text, [], { allowTrailingComma: true });
    const file = z.looseObject({ rules: z.array(z.unknown()) }).safeParse(raw);
    return file.success ? file.data : { $schema: "./rules.schema.json", version: 1, rules: [] };
  }

  function readEntries(): Entry[] {
    return readRules(readText()).rules.map(withId);
  }

  /** A file that does not read as JSON is the person's to mend; writing it anew would lose their rules. */
  function refuseBrokenFile(): void {
    const broken = problems().find(({ field }) => ["(file)", "rules", "version"].includes(field));
    if (broken)
      throw new ContractError(
        "conflict",
        `The rules file ${path} has to be mended first, line ${broken.line}: ${broken.message}`,
      );
  }

  /** Asked for at every call of every agent: the same texts are made into rules once. */
  const remembered = new Map<string, { from: string; rules: RulesInForce }>();

  function inForce({ id, workspace }: Pick<ThreadRow, "id" | "workspace">): RulesInForce {
    const trusted = parts.isTrusted(workspace);
    const folder = readSteeringText(workspace, folderRulesFile) ?? "";
    const texts = { own: readText(), folder };
    // Rules that nobody looked at since they changed may only tighten, and so may those that were there before.
    const asTrusted = trusted && parts.folderTrust.isAsTrusted(workspace, folderRulesFile, folder);
    const before =
      trusted && !asTrusted ? parts.folderTrust.trustedText(workspace, folderRulesFile) : undefined;
    const from = JSON.stringify([asTrusted, before, texts]);
    const key = `${id} ${workspace}`;
    const known = remembered.get(key);
    if (known?.from === from) return known.rules;
    if (remembered.size >= rememberedThreads) remembered.clear();
    const own = readRules(texts.own).rules.map(withId);
    const rules = loadRules({ id, workspace }, own, { text: folder, before, asTrusted }, shell);
    remembered.set(key, { from, rules });
    return rules;
  }

  function contextOf(workspace: string, threadId: ThreadId | undefined): ShellContext {
    const trusted = parts.isTrusted(workspace);
    const rules = inForce({ id: threadId ?? ("" as ThreadId), workspace }).commands;
    return makePolicyContext({ workspace, dataDir, shell, trusted, rules });
  }

  function check(rule: ParsedInput<"rules.add">): { tokens: string[]; exact: boolean } | { paths: string[] } {
    if (rule.scope === "thread" && !rule.threadId)
      throw new ContractError("invalid-input", "A rule for one thread needs the thread.", {
        field: "threadId",
      });
    if (rule.scope === "workspace" && !rule.workspace)
      throw new ContractError("invalid-input", "A rule for one workspace needs the workspace.", {
        field: "workspace",
      });
    if (rule.target === "file") {
      const problem = checkFileRule({ paths: [rule.text], operations: ["write"], effect: rule.effect });
      if (problem) throw new ContractError("invalid-input", problem, { field: "text" });
      return { paths: [rule.text] };
    }
    const parsed = parseCommandRule(rule.text, shell);
    const problem =
      "problem" in parsed ? parsed.problem : checkRule({ tokens: parsed.tokens, effect: rule.effect }, shell);
    if ("problem" in parsed || problem)
      throw new ContractError("invalid-input", problem ?? "This is not a rule.", { field: "text" });
    const { tokens } = parsed;
    return { tokens, exact: isExactRule({ tokens, effect: rule.effect, exact: rule.exact }) };
  }

  /** What the rule would have decided in the past, each request judged in the folder it was made in. */
  async function previewCommand(
    rule: ParsedInput<"rules.preview">,
    { tokens, exact }: Pick<CommandRule, "tokens" | "exact">,
  ) {
    const { effect, threadId, workspace } = rule;
    const candidate: CommandRule = {
      id: "preview",
      tokens,
      exact,
      effect,
      scope: "user",
      text: writeRuleText(tokens, shell),
    };
    const past = pastRequests(parts.ledger, threadId).filter((one) => !workspace || one.cwd === workspace);
    const results = await Promise.all(
      [...Map.groupBy(past, (one) => one.cwd)].map(([cwd, requests]) =>
        judging.preview(candidate, requests, contextOf(cwd, threadId)),
      ),
    );
    const approved = new Set(results.flatMap((result) => result.approvedIds));
    return {
      wouldApprove: approved.size,
      ofWhichRejected: results.reduce((sum, result) => sum + result.ofWhichRejected, 0),
      samples: past
        .filter((one) => approved.has(one.id))
        .slice(0, 5)
        .map((one) => one.command),
    };
  }

  function describe(rule: CommandRule | FileRule, entry: Entry): Rule {
    const target = "tokens" in rule ? "command" : "file";
    return {
      id: rule.id as RuleId,
      text: rule.text,
      ...("exact" in rule && { exact: rule.exact }),
      effect: rule.effect,
      scope: scopeOf(entry),
      target,
      workspace: entry.workspace,
      threadId: entry.thread as ThreadId | undefined,
    };
  }

  /** What stays keeps the form and the comments the person gave it. */
  function save(change: (rules: unknown[]) => unknown[]): void {
    refuseBrokenFile();
    const schema = join(dataDir, "rules.schema.json");
    writeAtomically(schema, `${JSON.stringify(z.toJSONSchema(rulesFileSchema), null, 2)}\n`);
    const text = readText();
    const file = readRules(text);
    const next = keepComments(text, { ...file, rules: change(file.rules) });
    writeAtomically(path, text.trim() === "" ? header + next : next);
  }

  function list(): Output<"rules.list"> {
    const rules = readEntries().flatMap((entry) => {
      const loaded = loadEntries([entry], scopeOf(entry), shell);
      return [...loaded.commands, ...loaded.files].slice(0, 1).map((rule) => describe(rule, entry));
    });
    return { rules, file: path, problems: problems() };
  }

  function problems(): RuleProblem[] {
    if (!existsSync(path)) return [];
    return loadRulesFile(readText(), { scope: "user", trusted: true, shell }).problems;
  }

  return {
    inForce,
    list,
    problems,
    async preview(rule) {
      const none = { wouldApprove: 0, ofWhichRejected: 0, samples: [] };
      try {
        const checked = check(rule);
        if (!("tokens" in checked)) return { ok: true, ...none };
        return { ok: true, exact: checked.exact, ...(await previewCommand(rule, checked)) };
      } catch (error) {
        if (error instanceof ContractError) return { ok: false, message: error.message, ...none };
        throw error;
      }
    },
    add(rule) {
      const checked = check(rule);
      const id = `rule-${randomUUID()}` as RuleId;
      const what =
        "tokens" in checked
          ? { command: rule.text, ...writeExtent(checked.exact, rule.exact) }
          : { files: rule.text, operations: ["write"] };
      const where =
        rule.scope === "thread"
          ? { thread: rule.threadId }
          : rule.scope === "workspace"
            ? { workspace: rule.workspace }
            : {};
      save((rules) => [...rules, { id, effect: rule.effect, ...what, ...where }]);
      return list().rules.find((one) => one.id === id)!;
    },
    remove(id) {
      if (!readEntries().some((entry) => entry.id === id))
        throw new ContractError("not-found", "This rule does not exist any more.", { field: "id" });
      save((rules) => rules.filter((raw) => withId(raw).id !== id));
    },
    async propose(row, thread) {
      if (row.tool !== "execute" || typeof row.args.command !== "string" || row.status !== "pending")
        return undefined;
      const proposal = await judging.propose(row.args.command, contextOf(thread.workspace, thread.id));
      return "text" in proposal ? { rule: proposal.text, exact: proposal.exact } : { why: proposal.reason };
    },
  };
}

/** Written where it is not what anybody would expect of the rule's words. */
function writeExtent(exact: boolean, asked: boolean | undefined): { exact?: boolean } {
  if (exact) return { exact };
  return asked === false ? { exact: false } : {};
}

const rememberedThreads = 500;

function loadRules(
  thread: Pick<ThreadRow, "id" | "workspace">,
  entries: Entry[],
  folder: { text: string; before: string | undefined; asTrusted: boolean },
  shell: ShellKind,
): RulesInForce {
  const load = (keep: (entry: Entry) => boolean, scope: Rule["scope"]) =>
    loadEntries(entries.filter(keep), scope, shell);
  // A folder's own rules may tighten; they loosen only when the person trusts the folder.
  const now = loadRulesFile(folder.text, { scope: "workspace", trusted: folder.asTrusted, shell });
  const before = loadRulesFile(folder.before ?? "", { scope: "workspace", trusted: false, shell });
  const scopes = [
    load((entry) => entry.thread === thread.id, "thread"),
    // The person's own rule for a folder is the person's word; only the folder's own file needs their trust.
    load((entry) => !entry.thread && entry.workspace === thread.workspace, "user"),
    load((entry) => !entry.thread && !entry.workspace, "user"),
    { commands: [...now.rules, ...before.rules], files: [...now.files, ...before.files] },
  ];
  return {
    commands: scopes.flatMap((scope) => scope.commands),
    files: scopes.flatMap((scope) => scope.files),
  };
}

function loadEntries(entries: Entry[], scope: Rule["scope"], shell: ShellKind): RulesInForce {
  const rules = entries.map(({ workspace: _workspace, thread: _thread, ...rule }) => rule);
  const loaded = loadRulesFile(JSON.stringify({ rules }), { scope, trusted: true, shell });
  return { commands: loaded.rules, files: loaded.files };
}

function scopeOf(entry: Entry): Rule["scope"] {
  return entry.thread ? "thread" : entry.workspace ? "workspace" : "user";
}

/** A rule that a person wrote without an id gets one made of its content, the same at each reading. */
function withId(raw: unknown): Entry {
  const entry = entrySchema.safeParse(raw).data ?? {};
  const content = createHash("sha256").update(JSON.stringify(entry)).digest("hex");
  return { ...entry, id: entry.id ?? `rule-${content.slice(0, 16)}` };
}

const previewedRequests = 500;

function pastRequests(ledger: Ledger, threadId: ThreadId | undefined): (PastRequest & { cwd: string })[] {
  return ledger.list({ threadId, limit: previewedRequests }).entries.flatMap((entry) => {
    const command = entry.originalArgs.command;
    // What somebody allowed elsewhere says nothing about what this person would allow.
    if (entry.imported || entry.tool !== "execute" || typeof command !== "string") return [];
    const decision =
      entry.decision.type === "approve"
        ? "approved"
        : entry.decision.type === "reject"
          ? "rejected"
          : "other";
    return [{ id: String(entry.id), command, decision, cwd: entry.cwd }];
  });
}
