/** `rules`: takes over rules of other programs into the person's own file, and writes these in the others' form. */
import { closeSync, mkdirSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import {
  type ImportedEntry,
  longestRulesFile,
  type RuleFormat,
  ruleFormatSchema,
} from "../../shared/contract/rule-exchange.ts";
import { messageOf } from "../../shared/message-of.ts";
import { dataDirOf, readOptions } from "../base/read-options.ts";
import { visibleText } from "../base/visible-text.ts";
import { exportRules, importRules } from "../rules/rule-exchange.ts";
import { openUserRulesFile } from "../rules/user-rules-file.ts";
import { findCommandShell } from "../shell/find-command-shell.ts";
import { describeRefusal } from "../storage/storage-error.ts";
import type { CommandLineStreams } from "./policy-check.ts";

export const rulesUsage = `Usage:
  npm run -s cli -- rules import --from claude-code|codex|vscode FILE [--workspace DIR] [--save]
  npm run -s cli -- rules export --to claude-code|codex|vscode [--workspace DIR]
`;

/**
 * Exit codes: 0 done, 1 the file is not read, 2 wrong usage. Without `--save` nothing is written.
 *
 * @param argv the words after `rules`
 */
export function runRules(
  argv: string[],
  io: Pick<CommandLineStreams, "stdout" | "stderr">,
  dataDir = dataDirOf(),
): 0 | 1 | 2 {
  try {
    const { values, positionals } = readOptions({
      args: argv,
      allowPositionals: true,
      options: {
        from: { type: "string" },
        to: { type: "string" },
        workspace: { type: "string" },
        save: { type: "boolean", default: false },
      },
    });
    const [command, path, more] = positionals;
    const workspace = values.workspace === undefined ? undefined : resolve(values.workspace);
    const shell = findCommandShell(process.platform, process.env).kind;
    const file = openUserRulesFile(dataDir, shell);
    if (command === "export" && path === undefined) {
      const { text, left } = exportRules(
        { to: readFormat(values.to, "--to"), workspace },
        file.readEntries(),
        shell,
      );
      for (const { rule, reason } of left)
        io.stderr.write(`left out: ${visibleText(rule)}: ${visibleText(reason)}\n`);
      io.stdout.write(text);
      return 0;
    }
    if (command !== "import" || path === undefined || more !== undefined)
      throw new Error("import FILE or export?");
    const from = readFormat(values.from, "--from");
    const asked = { from, text: readText(path), workspace };
    const preview = importRules(asked, file, shell);
    if (preview.problem !== undefined) {
      io.stderr.write(`${visibleText(preview.problem)}\n`);
      return 1;
    }
    for (const entry of preview.entries) io.stdout.write(describe(entry));
    // Somebody may bring rules along before the app's first start.
    if (values.save) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const added = values.save
      ? importRules({ ...asked, digest: preview.digest }, file, shell).added
      : undefined;
    io.stdout.write(
      added === undefined
        ? "Nothing was written. Add --save to take these rules.\n"
        : `${added} ${added === 1 ? "rule" : "rules"} written to ${file.path}\n`,
    );
    return 0;
  } catch (error) {
    const refusal = error instanceof UnreadableError ? error.message : describeRefusal(error);
    if (refusal === undefined) {
      io.stderr.write(`${messageOf(error)}\n${rulesUsage}`);
      return 2;
    }
    const told =
      error instanceof UnreadableError ? refusal : `The rules in ${dataDir} cannot be used: ${refusal}.`;
    io.stderr.write(`${visibleText(told)}\n`);
    return 1;
  }
}

function readFormat(text: string | undefined, option: string): RuleFormat {
  const format = ruleFormatSchema.safeParse(text);
  if (!format.success) throw new Error(`${option} is claude-code, codex or vscode.`);
  return format.data;
}

/** The file of the other program cannot be read; the message says why. */
class UnreadableError extends Error {}

/** @throws UnreadableError */
function readText(path: string): string {
  try {
    return readBeginning(path);
  } catch (error) {
    throw new UnreadableError(`${path} cannot be read: ${describeRefusal(error) ?? messageOf(error)}.`);
  }
}

/** No more of it than counts, and one byte that shows that there is more. */
function readBeginning(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(longestRulesFile + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}

function describe({ entry, outcome, reason, rules }: ImportedEntry): string {
  const made = rules.map(
    ({ effect, text, exact, known }) =>
      `    ${effect} ${visibleText(text)}${exact ? " (exactly)" : ""}${known ? " (there already)" : ""}\n`,
  );
  return `${outcome}: ${visibleText(entry)}${reason === undefined ? "" : `: ${visibleText(reason)}`}\n${made.join("")}`;
}
