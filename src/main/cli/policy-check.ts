/** The command line that says what the policy thinks of commands: JSON lines in, JSON lines out. */
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import type { ShellKind } from "../../shared/command-shell.ts";
import { messageOf } from "../../shared/message-of.ts";
import { parseJson } from "../base/parse-json.ts";
import { dataDirOf, readOptions as read } from "../base/read-options.ts";
import { visibleJson, visibleText } from "../base/visible-text.ts";
import { checkRule, parseCommandRule } from "../policy/command-rule.ts";
import { isExactRule } from "../policy/exact-rules.ts";
import { judgeCommand } from "../policy/judge-command.ts";
import type { CommandRule, PolicyContext } from "../policy/policy-context.ts";
import type { UnitVerdict } from "../policy/verdict.ts";
import { widthOf } from "../policy/width-of.ts";
import { makePolicyContext } from "../rules/policy-context.ts";
import { findCommandShell } from "../shell/find-command-shell.ts";

export const policyUsage =
  'Usage: npm run -s cli -- policy check --workspace DIR [--shell bash|powershell] [--trusted] [--rule "npm test"]… [--explain] --stdin\n';
const requestSchema = z.object({ command: z.string() });

/** The streams a command line talks through. */
export type CommandLineStreams = { stdin: Readable; stdout: Writable; stderr: Writable };

type Options = {
  workspace: string;
  shell: ShellKind;
  trusted: boolean;
  rules: string[];
  explain: boolean;
};

/** @throws Error that says what is wrong with the folder */
function openFolder(path: string): string {
  try {
    const real = realpathSync.native(resolve(path));
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw new Error(
      code === "ENOENT" || code === "ENOTDIR"
        ? `--workspace ${path}: there is no such folder.`
        : `--workspace ${path}: the folder cannot be opened.`,
    );
  }
  throw new Error(`--workspace ${path} is a file. Give the folder that holds it.`);
}

function readOptions(argv: string[]): Options {
  const { values, positionals } = read({
    args: argv,
    allowPositionals: true,
    options: {
      workspace: { type: "string" },
      shell: { type: "string" },
      trusted: { type: "boolean", default: false },
      rule: { type: "string", multiple: true, default: [] },
      explain: { type: "boolean", default: false },
      stdin: { type: "boolean", default: false },
    },
  });
  if (positionals[0] === "policy" && positionals[1] === undefined)
    throw new Error("policy has one command: check.");
  const unknown = positionals.filter(
    (word, at) => word !== ["policy", "check"][at + (positionals[0] === "policy" ? 0 : 1)],
  );
  if (unknown.length > 0) throw new Error(`Unknown argument: ${unknown[0]}`);
  if (values.workspace === undefined) throw new Error("--workspace is missing.");
  if (!values.stdin) throw new Error("--stdin is missing: commands are read as JSON lines.");
  return {
    workspace: openFolder(values.workspace),
    shell: readShell(values.shell),
    trusted: values.trusted,
    rules: values.rule,
    explain: values.explain,
  };
}

/** By default the shell that commands of this machine run in. */
function readShell(text: string | undefined): ShellKind {
  if (text === undefined) return findCommandShell(process.platform, process.env).kind;
  if (text !== "bash" && text !== "powershell") throw new Error("--shell is bash or powershell.");
  return text;
}

/** A rule given on the command line is the person's own, so it holds in an untrusted folder too. */
function readRule(text: string, shell: ShellKind): CommandRule | { problem: string } {
  const parsed = parseCommandRule(text, shell);
  if ("problem" in parsed) return parsed;
  const problem = checkRule({ tokens: parsed.tokens, effect: "allow" }, shell);
  if (problem !== undefined) return { problem };
  const { tokens } = parsed;
  const exact = isExactRule({ tokens, effect: "allow" });
  return { id: `option:${text}`, tokens, exact, effect: "allow", scope: "user", text };
}

/** Lines as JSON lines have them: they end with a newline only, not with what else a reader of text takes for one. */
async function* readLines(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest + decoder.decode();
}

/** A part as it is told; its source names the line of the grammar, the table entry or the rule that decided. */
function tellUnit(unit: UnitVerdict, explain: boolean): Record<string, unknown> {
  const { text, verdict, reason, rule } = unit;
  const told = { text, verdict, reason, ...(unit.class && { class: unit.class }) };
  if (!explain) return told;
  const program = /^[\w./-]+/.exec(text)?.[0];
  const table = program === undefined ? "form" : `program:${program}`;
  const { sandbox } = unit;
  return {
    ...told,
    ...(sandbox && { sandbox }),
    source: unit.source ?? (rule === undefined ? table : `rule:${rule}`),
  };
}

async function checkLines(
  context: PolicyContext,
  io: CommandLineStreams,
  explain: boolean,
): Promise<boolean> {
  let allRead = true;
  let number = 0;
  for await (const line of readLines(io.stdin)) {
    number += 1;
    if (line.trim() === "") continue;
    const request = requestSchema.safeParse(parseJson(line));
    if (!request.success) {
      allRead = false;
      io.stdout.write(
        `${visibleJson({ error: 'Each line is a JSON object like {"command":"ls"}.', line: number })}\n`,
      );
      continue;
    }
    const { command } = request.data;
    const judged = judgeCommand(command, context);
    const { verdict, units } = judged;
    const told = units.map((unit) => tellUnit(unit, explain));
    const width = context.shell === "bash" && verdict !== "deny" ? widthOf(judged) : undefined;
    io.stdout.write(`${visibleJson({ command, verdict, ...(explain && { width }), units: told })}\n`);
  }
  return allRead;
}

/**
 * Runs `policy check`. Exit codes: 0 every line was judged, 2 wrong usage, a refused rule or a malformed line
 * (the other lines are still judged, in order).
 *
 * @param argv the words after the program's name, with or without `policy check` in front
 */
export async function runPolicyCheck(argv: string[], io: CommandLineStreams): Promise<number> {
  let options: Options;
  try {
    options = readOptions(argv);
  } catch (error) {
    io.stderr.write(`${messageOf(error)}\n${policyUsage}`);
    return 2;
  }
  const rules: CommandRule[] = [];
  let refused = false;
  for (const text of options.rules) {
    const rule = readRule(text, options.shell);
    if ("problem" in rule) {
      refused = true;
      io.stderr.write(`The rule "${visibleText(text)}" is refused. ${visibleText(rule.problem)}\n`);
    } else rules.push(rule);
  }
  const allRead = await checkLines(
    makePolicyContext({
      workspace: options.workspace,
      dataDir: dataDirOf(),
      shell: options.shell,
      trusted: options.trusted,
      rules,
    }),
    io,
    options.explain,
  );
  return allRead && !refused ? 0 : 2;
}
