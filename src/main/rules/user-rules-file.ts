/** The person's own `rules.json`: read anew each time, and written so that what stays keeps its form and comments. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { z } from "zod";
import type { ShellKind } from "../../shared/command-shell.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { keepComments } from "../agent-files/keep-comments.ts";
import { loadRulesFile, type RuleProblem, rulesFileSchema } from "../policy/rules-file.ts";
import { writeAtomically } from "../settings/settings-store.ts";
import { type RuleEntry, readEntry } from "./rule-entries.ts";

export type UserRulesFile = {
  path: string;
  /** Empty where there is no file yet. */
  readText(): string;
  readEntries(): RuleEntry[];
  /** What is wrong in the file, in sentences. */
  problems(): RuleProblem[];
  /**
   * Writes what `change` makes of the rules as they stand, those that are refused among them.
   * @throws ContractError `conflict` when the file cannot be read as rules: writing it anew would lose them.
   */
  change(change: (rules: unknown[]) => unknown[]): void;
};

const header =
  "// Countersign's rules: deny beats ask beats allow, whatever the scope. The format is described in docs/policy.md.\n";

/** Read at each use, so that an edit by hand counts at once; a file that is not there holds no rules. */
export function openUserRulesFile(dataDir: string, shell: ShellKind): UserRulesFile {
  const path = join(dataDir, "rules.json");
  const readText = () => {
    try {
      return existsSync(path) ? readFileSync(path, "utf8").replace(/^\uFEFF/, "") : "";
    } catch (error) {
      // The system does not name a folder that it could not read as a file.
      throw Object.assign(error as Error, { path });
    }
  };
  const problems = () =>
    existsSync(path) ? loadRulesFile(readText(), { scope: "user", trusted: true, shell }).problems : [];
  return {
    path,
    readText,
    readEntries: () => parseEntries(readText()),
    problems,
    change(change) {
      refuseBrokenFile(path, problems());
      const schema = join(dataDir, "rules.schema.json");
      writeAtomically(schema, `${JSON.stringify(z.toJSONSchema(rulesFileSchema), null, 2)}\n`);
      const text = readText();
      const file = parseFile(text);
      const next = keepComments(text, { ...file, rules: change(file.rules) });
      writeAtomically(path, text.trim() === "" ? header + next : next);
    },
  };
}

/** The entries of a file's text, those that are refused among them. */
export function parseEntries(text: string): RuleEntry[] {
  return parseFile(text).rules.map(readEntry);
}

/** The file as it stands, so that an entry that is refused stays in it for the person to mend. */
function parseFile(text: string): Record<string, unknown> & { rules: unknown[] } {
  const raw: unknown = parse(text, [], { allowTrailingComma: true });
  const file = z.looseObject({ rules: z.array(z.unknown()) }).safeParse(raw);
  return file.success ? file.data : { $schema: "./rules.schema.json", version: 1, rules: [] };
}

function refuseBrokenFile(path: string, problems: RuleProblem[]): void {
  const broken = problems.find(({ field }) => ["(file)", "rules", "version"].includes(field));
  if (broken)
    throw new ContractError(
      "conflict",
      `The rules file ${path} has to be mended first, line ${broken.line}: ${broken.message}`,
    );
}
