/** Reads the rules a person keeps in a JSONC file: a bad rule is refused with its place, the others keep working. */
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { z } from "zod";
import type { ShellKind } from "../../shared/command-shell.ts";
import { checkRule, parseCommandRule, writeRuleText } from "./command-rule.ts";
import { isExactRule } from "./exact-rules.ts";
import { checkFileRule, type FileRule } from "./file-rule.ts";
import type { CommandRule } from "./policy-context.ts";
import { isInForce, matchesTokens } from "./rule-match.ts";

/** What is wrong in a rules file. `line` and `column` count from 1; `field` is a path like `rules[2].command`. */
export type RuleProblem = { line: number; column: number; field: string; message: string };

/** The rules that hold and the problems of those that do not. */
type LoadedRules = {
  rules: CommandRule[];
  files: FileRule[];
  problems: RuleProblem[];
  /** The file says that what no rule covers asks, whatever the settings say; also of a file that cannot be read. */
  uncoveredAsk: boolean;
};

const effect = z.enum(["allow", "ask", "deny"]);
/** `workspace` and `thread` narrow where a rule holds; the host picks by them which rules it hands to the policy. */
const common = {
  id: z.string().min(1).optional(),
  effect,
  note: z.string().optional(),
  workspace: z.string().optional(),
  thread: z.string().optional(),
};
const examples = z.array(z.string()).optional();

const commandEntrySchema = z.strictObject({
  ...common,
  command: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  /** The rule is the whole command and not its beginning. */
  exact: z.boolean().optional(),
  /** It allows only what is written just so, with nothing before or around it. */
  asWritten: z.boolean().optional(),
  /** The last word is the beginning of a word; not on a rule that allows. */
  partial: z.boolean().optional(),
  match: examples,
  notMatch: examples,
});

const fileEntrySchema = z.strictObject({
  ...common,
  files: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  operations: z
    .array(z.enum(["read", "write", "delete"]))
    .min(1)
    .optional(),
});

/** The shape of a rules file, for editors and for the loader. */
export const rulesFileSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1).optional(),
  /** What no rule covers asks here, confined or not. A file can only say this and not the contrary. */
  uncovered: z.literal("ask").optional(),
  rules: z.array(z.union([commandEntrySchema, fileEntrySchema])),
});

type CommandEntry = z.infer<typeof commandEntrySchema>;
type FileEntry = z.infer<typeof fileEntrySchema>;
type Path = (string | number)[];
type Failure = { path: Path; message: string };
/** Whose rules these are, and for which shell they are read. */
type Whose = { scope: CommandRule["scope"]; shell: ShellKind };

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function writeField(path: Path): string {
  return (
    path
      .map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`))
      .join("") || "(file)"
  );
}

function locate(text: string, root: Node | undefined, { path, message }: Failure): RuleProblem {
  let node: Node | undefined;
  for (let length = path.length; root !== undefined && node === undefined && length >= 0; length -= 1) {
    node = length === 0 ? root : findNodeAtLocation(root, path.slice(0, length));
  }
  return { ...placeOf(text, node?.offset ?? 0), field: writeField(path), message };
}

/** Whether the rule matches an example, read as one plain command; undefined when it is no command. */
function exampleMatches(
  example: string,
  rule: Pick<CommandRule, "tokens" | "exact" | "partial">,
  shell: ShellKind,
): boolean | undefined {
  const parsed = parseCommandRule(example, shell);
  if ("problem" in parsed) return undefined;
  const words = parsed.tokens.map((value) => ({
    text: value,
    value,
    pattern: value,
    glob: false,
    leadingGlob: false,
  }));
  return matchesTokens(words, rule);
}

function readCommand(entry: CommandEntry, at: number, { scope, shell }: Whose): CommandRule | Failure {
  const parsed =
    typeof entry.command === "string" ? parseCommandRule(entry.command, shell) : { tokens: entry.command };
  if ("problem" in parsed) return { path: ["rules", at, "command"], message: parsed.problem };
  const { tokens } = parsed;
  const problem = checkRule({ tokens, effect: entry.effect }, shell);
  if (problem !== undefined) return { path: ["rules", at, "command"], message: problem };
  const partial = entry.partial === true;
  if (partial && (entry.effect === "allow" || entry.exact))
    return {
      path: ["rules", at, "partial"],
      message: "Only a beginning that asks or denies can end within a word.",
    };
  const text = writeRuleText(tokens, shell) + (partial ? "*" : "");
  const exact = isExactRule({ tokens, effect: entry.effect, exact: entry.exact });
  const missed = (entry.match ?? []).findIndex(
    (example) => exampleMatches(example, { tokens, exact, partial }, shell) !== true,
  );
  if (missed >= 0) {
    return {
      path: ["rules", at, "match", missed],
      message: `The rule "${text}" does not match this example.`,
    };
  }
  const caught = (entry.notMatch ?? []).findIndex(
    (example) => exampleMatches(example, { tokens, exact, partial }, shell) === true,
  );
  if (caught >= 0) {
    return { path: ["rules", at, "notMatch", caught], message: `The rule "${text}" matches this example.` };
  }
  const id = entry.id ?? `${scope}:${entry.effect}:${text}`;
  const manner = { ...(entry.asWritten === true && { asWritten: true }), ...(partial && { partial }) };
  return { id, tokens, ...(exact && { exact }), ...manner, effect: entry.effect, scope, text };
}

function readFiles(entry: FileEntry, at: number, { scope }: Whose): FileRule | Failure {
  const paths = typeof entry.files === "string" ? [entry.files] : entry.files;
  const operations = entry.operations ?? ["write"];
  const problem = checkFileRule({ paths, operations, effect: entry.effect });
  if (problem !== undefined) return { path: ["rules", at, "files"], message: problem };
  const text = `${operations.join(", ")} ${paths.join(" ")}`;
  return {
    id: entry.id ?? `${scope}:${entry.effect}:${text}`,
    paths,
    operations,
    effect: entry.effect,
    scope,
    text,
  };
}

function readEntry(entry: unknown, at: number, whose: Whose): CommandRule | FileRule | Failure {
  const isFile = typeof entry === "object" && entry !== null && "files" in entry && !("command" in entry);
  const result = isFile ? fileEntrySchema.safeParse(entry) : commandEntrySchema.safeParse(entry);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const unknown = issue.code === "unrecognized_keys" ? [issue.keys[0]!] : [];
    const path = [...issue.path, ...unknown].filter(
      (part): part is string | number => typeof part !== "symbol",
    );
    return { path: ["rules", at, ...path], message: issue.message };
  }
  return "files" in result.data ? readFiles(result.data, at, whose) : readCommand(result.data, at, whose);
}

function findDuplicate(loaded: LoadedRules, id: string): boolean {
  return [...loaded.rules, ...loaded.files].some((rule) => rule.id === id);
}

function readDocument(
  value: unknown,
  whose: Whose & { trusted: boolean },
): { loaded: LoadedRules; failures: Failure[] } {
  const says = typeof value === "object" && value !== null && "uncovered" in value;
  const loaded: LoadedRules = { rules: [], files: [], problems: [], uncoveredAsk: says };
  const failures: Failure[] = [];
  const file = z
    .object({ rules: z.array(z.unknown()) })
    .loose()
    .safeParse(value);
  if (!file.success)
    return { loaded, failures: [{ path: ["rules"], message: "The file needs a list called rules." }] };
  for (const key of Object.keys(file.data)) {
    if (key === "uncovered" && file.data[key] !== "ask")
      failures.push({ path: [key], message: `A file of rules can only say "ask" here, and is taken to.` });
    if (!["$schema", "version", "uncovered", "rules"].includes(key))
      failures.push({ path: [key], message: `${key} is not a known field.` });
  }
  if (file.data.version !== undefined && file.data.version !== 1) {
    return { loaded, failures: [{ path: ["version"], message: "Only version 1 of this file is known." }] };
  }
  file.data.rules.forEach((entry, at) => {
    const rule = readEntry(entry, at, whose);
    if ("message" in rule) failures.push(rule);
    else if (findDuplicate(loaded, rule.id))
      failures.push({ path: ["rules", at, "id"], message: `There is another rule ${rule.id}.` });
    else if (!isInForce(rule, whose.trusted)) {
      failures.push({
        path: ["rules", at, "effect"],
        message: "A folder that is not trusted can only make rules stricter.",
      });
    } else if ("tokens" in rule) loaded.rules.push(rule);
    else loaded.files.push(rule);
  });
  return { loaded, failures };
}

/**
 * Reads the text of a rules file (JSON with comments and trailing commas).
 *
 * @param options.scope whose rules these are; those of a workspace may only tighten unless it is trusted
 * @returns the rules that hold; each problem says line, column, field and what to do. Never throws.
 */
export function loadRulesFile(text: string, options: Whose & { trusted: boolean }): LoadedRules {
  const none = { rules: [], files: [], uncoveredAsk: false };
  if (text.trim() === "") return { ...none, problems: [] };
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) {
    const first = errors[0]!;
    const message = `The file is not valid JSON (${printParseErrorCode(first.error)}). None of its rules are used.`;
    const problem = { ...placeOf(text, first.offset), field: "(file)", message };
    return { ...none, problems: [problem], uncoveredAsk: true };
  }
  const root = parseTree(text, [], { allowTrailingComma: true });
  const { loaded, failures } = readDocument(value, options);
  return { ...loaded, problems: failures.map((failure) => locate(text, root, failure)) };
}
