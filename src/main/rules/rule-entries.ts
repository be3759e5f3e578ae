/** The entries of `rules.json`, as they are written and as the rules they stand for. */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { ShellKind } from "../../shared/command-shell.ts";
import type { Rule } from "../../shared/contract/rules.ts";
import type { RuleId, ThreadId } from "../../shared/ids.ts";
import type { FileRule } from "../policy/file-rule.ts";
import type { CommandRule } from "../policy/policy-context.ts";
import { loadRulesFile } from "../policy/rules-file.ts";

export type RulesInForce = {
  commands: CommandRule[];
  files: FileRule[];
  /** A file of rules says that what they do not cover asks, confined or not. */
  uncoveredAsk?: boolean;
};

/** One entry as it stands in `rules.json`; `workspace` or `thread` narrows where it holds. */
const entrySchema = z.looseObject({
  id: z.string().optional(),
  workspace: z.string().optional(),
  thread: z.string().optional(),
});
export type RuleEntry = z.infer<typeof entrySchema>;

/** A rule that a person wrote without an id gets one made of its content, the same at each reading. */
export function readEntry(raw: unknown): RuleEntry {
  const entry = entrySchema.safeParse(raw).data ?? {};
  const content = createHash("sha256").update(JSON.stringify(entry)).digest("hex");
  return { ...entry, id: entry.id ?? `rule-${content.slice(0, 16)}` };
}

/** The rules among the entries; those that are refused are left out. */
export function toRules(entries: RuleEntry[], scope: Rule["scope"], shell: ShellKind): RulesInForce {
  const rules = entries.map(({ workspace: _workspace, thread: _thread, ...rule }) => rule);
  const loaded = loadRulesFile(JSON.stringify({ rules }), { scope, trusted: true, shell });
  return { commands: loaded.rules, files: loaded.files };
}

/** An entry as a person is shown it; undefined where it is refused. */
export function showEntry(entry: RuleEntry, shell: ShellKind): Rule | undefined {
  const { commands, files } = toRules([entry], scopeOf(entry), shell);
  const rule = commands[0] ?? files[0];
  if (!rule) return undefined;
  return {
    id: rule.id as RuleId,
    text: rule.text,
    ...("exact" in rule && { exact: rule.exact }),
    ...("asWritten" in rule && { asWritten: rule.asWritten }),
    effect: rule.effect,
    scope: scopeOf(entry),
    target: "tokens" in rule ? "command" : "file",
    workspace: entry.workspace,
    threadId: entry.thread as ThreadId | undefined,
  };
}

function scopeOf(entry: RuleEntry): Rule["scope"] {
  return entry.thread ? "thread" : entry.workspace ? "workspace" : "user";
}
