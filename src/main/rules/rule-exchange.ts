/** Takes over rules of other programs, after saying what each entry becomes, and writes the person's rules in their form. */
import { createHash, randomUUID } from "node:crypto";
import type { ShellKind } from "../../shared/command-shell.ts";
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { ruleFormatNames } from "../../shared/contract/rule-exchange.ts";
import { writeRuleText } from "../policy/command-rule.ts";
import { type Adopted, type AdoptedRule, adoptEntries } from "../policy/foreign/adopt-entries.ts";
import { readForeignRules } from "../policy/foreign/read-foreign.ts";
import { type WritableRule, writeForeignRules } from "../policy/foreign/write-foreign.ts";
import { type RuleEntry, showEntry, toRules } from "./rule-entries.ts";
import type { UserRulesFile } from "./user-rules-file.ts";

type Import = ParsedInput<"rules.import">;
type Imported = Output<"rules.import">;

/** @throws ContractError `conflict` where the rules became others than those that `digest` stands for. */
export function importRules(
  { from, text, workspace, digest }: Import,
  file: UserRulesFile,
  shell: ShellKind,
): Imported {
  const nothing = (problem: string): Imported => ({ problem, entries: [], digest: digestOf([]) });
  if (shell !== "bash") return nothing("These rules are about bash, and commands run in PowerShell here.");
  const read = readForeignRules(from, text);
  if ("problem" in read) return nothing(read.problem);
  const adopted = adoptEntries(read.entries);
  const known = knownIn(file.readEntries(), workspace);
  const entries = adopted.map((one) => describe(one, known));
  const seen = digestOf([workspace, entries]);
  if (digest === undefined) return { entries, digest: seen };
  if (digest !== seen)
    throw new ContractError("conflict", "The rules changed meanwhile. Look at them again.", {});
  const added = newEntries(adopted, known, {
    note: `From ${ruleFormatNames[from]}`,
    ...(workspace && { workspace }),
  });
  if (added.length > 0) file.change((rules) => [...rules, ...added]);
  return { entries, digest: seen, added: added.length };
}

/** What the person keeps for one thread is not said elsewhere, unless it asks or stops. */
export function exportRules(
  { to, workspace }: ParsedInput<"rules.export">,
  entries: readonly RuleEntry[],
  shell: ShellKind,
): Output<"rules.export"> {
  const left: Output<"rules.export">["left"] = [];
  const rules = entries.flatMap((entry): WritableRule[] => {
    const [rule] = toRules([entry], "user", shell).commands;
    const reason =
      shell !== "bash"
        ? "It is about PowerShell."
        : rule === undefined
          ? "It is about files."
          : rule.effect === "allow" && (entry.thread || (entry.workspace && entry.workspace !== workspace))
            ? "It holds in one place only."
            : undefined;
    if (rule !== undefined && reason === undefined) return [{ ...rule, exact: rule.exact === true }];
    const text = showEntry(entry, shell)?.text;
    if (text !== undefined) left.push({ rule: text, reason: reason! });
    return [];
  });
  const written = writeForeignRules(to, rules);
  return { text: written.text, left: [...left, ...written.left] };
}

const digestOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");

const textOf = (rule: AdoptedRule) =>
  "tokens" in rule
    ? writeRuleText(rule.tokens, "bash") + (rule.partial ? "*" : "")
    : `${rule.operations.join(", ")} ${rule.files.join(" ")}`;
const exactOf = (rule: AdoptedRule) => "tokens" in rule && rule.exact;
const keyOf = (rule: { effect: string; text: string; exact?: boolean }) =>
  JSON.stringify([rule.effect, rule.text, rule.exact === true]);

/** The rules that hold in that place already, by what they say. */
function knownIn(entries: readonly RuleEntry[], workspace: string | undefined): ReadonlySet<string> {
  const there = entries.filter((entry) => !entry.thread && entry.workspace === workspace);
  return new Set(there.flatMap((entry) => showEntry(entry, "bash") ?? []).map(keyOf));
}

const isKnown = (rule: AdoptedRule, known: ReadonlySet<string>) =>
  known.has(keyOf({ effect: rule.effect, text: textOf(rule), exact: exactOf(rule) }));

function describe(
  { entry, outcome, reason, rules }: Adopted,
  known: ReadonlySet<string>,
): Imported["entries"][number] {
  const described = rules.map((rule) => ({
    text: textOf(rule),
    effect: rule.effect,
    ...(exactOf(rule) && { exact: true }),
    known: isKnown(rule, known),
  }));
  return { entry, outcome, ...(reason !== undefined && { reason }), rules: described };
}

/** Each rule once, whatever entries say the same. */
function newEntries(
  adopted: readonly Adopted[],
  known: ReadonlySet<string>,
  place: { note: string; workspace?: string },
): Record<string, unknown>[] {
  const rules = adopted.flatMap((one) => one.rules).filter((rule) => !isKnown(rule, known));
  const once = new Map(rules.map((rule) => [JSON.stringify(rule), rule]));
  return [...once.values()].map((rule) => {
    const { effect } = rule;
    const what =
      "tokens" in rule
        ? {
            command: rule.tokens,
            exact: rule.exact,
            ...(rule.asWritten && { asWritten: true }),
            ...(rule.partial && { partial: true }),
          }
        : { files: rule.files, operations: rule.operations };
    return { id: `rule-${randomUUID()}`, effect, ...what, ...place };
  });
}
