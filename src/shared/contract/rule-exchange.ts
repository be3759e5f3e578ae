/** Rules of other programs: what becomes of each entry of a file, and our rules in their form. */
import { z } from "zod";
import { procedure } from "./procedure.ts";

export const ruleFormatSchema = z.enum(["claude-code", "codex", "vscode"]);
export type RuleFormat = z.infer<typeof ruleFormatSchema>;

/** What each program is called. */
export const ruleFormatNames: Record<RuleFormat, string> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  vscode: "VS Code",
};

/** In characters of a file that is read. */
export const longestRulesFile = 262_144;
const workspaceSchema = z.string().min(1).max(4_096).optional();

const importedEntrySchema = z.strictObject({
  /** As it stands in the file, the end of a long one left out. */
  entry: z.string(),
  outcome: z.enum(["taken", "narrowed", "refused"]),
  /** Why it was narrowed or refused. */
  reason: z.string().optional(),
  /** What it becomes here; `known` ones are there already and are not added again. */
  rules: z.array(
    z.strictObject({
      text: z.string(),
      effect: z.enum(["allow", "ask", "deny"]),
      exact: z.boolean().optional(),
      known: z.boolean(),
    }),
  ),
});
export type ImportedEntry = z.infer<typeof importedEntrySchema>;

export const ruleExchangeContract = {
  /** Says what a file would become, and with the digest of that answer makes it so, in one write. */
  "rules.import": procedure(
    z.strictObject({
      from: ruleFormatSchema,
      text: z.string().max(longestRulesFile),
      /** Where the rules hold; everywhere without it. */
      workspace: workspaceSchema,
      digest: z.string().min(1).max(200).optional(),
    }),
    z.strictObject({
      /** Why nothing of the file is read. */
      problem: z.string().optional(),
      entries: z.array(importedEntrySchema),
      digest: z.string(),
      /** How many rules were written; absent where it was only asked. */
      added: z.number().int().optional(),
    }),
  ),
  /** The rules for everywhere and for one folder, in another program's form. */
  "rules.export": procedure(
    z.strictObject({ to: ruleFormatSchema, workspace: workspaceSchema }),
    z.strictObject({
      text: z.string(),
      left: z.array(z.strictObject({ rule: z.string(), reason: z.string() })),
    }),
  ),
};
