/** Makes rules of another program's entries: none may let pass what the other asks about or stops. */
import { plainWord } from "../command-pieces.ts";
import { checkRule } from "../command-rule.ts";
import { isExactRule } from "../exact-rules.ts";
import { checkFileRule, type FileOperation } from "../file-rule.ts";
import { programOf } from "../unit-name.ts";
import { unwrapCommand } from "../wrapper.ts";
import { type Effect, type ForeignEntry, longestEntry, type WordsRule } from "./foreign-entry.ts";

/** A rule as it would be written down. Those that allow hold for what is written just so. */
export type AdoptedRule = { effect: Effect } & (
  | (WordsRule & { asWritten?: true })
  | { files: string[]; operations: FileOperation[] }
);

/** What became of one entry; `narrowed` and `refused` say why. */
export type Adopted = {
  entry: string;
  outcome: "taken" | "narrowed" | "refused";
  reason?: string;
  rules: AdoptedRule[];
};

/** Goes through the entries in their order. Every one is accounted for. */
export function adoptEntries(entries: readonly ForeignEntry[]): Adopted[] {
  const stricter = new Map<ForeignEntry, Adopted>();
  for (const entry of entries) if (entry.effect !== "allow") stricter.set(entry, adoptStricter(entry));
  const limits = limitsOf(stricter);
  return entries.map((entry) => stricter.get(entry) ?? adoptAllowing(entry, limits));
}

type Limit = { entry: string; stops(rule: WordsRule): boolean };

/** What keeps rules that allow from being taken: entries that no rule holds, and those that leave nothing of it. */
function limitsOf(stricter: ReadonlyMap<ForeignEntry, Adopted>): Limit[] {
  return [...stricter].flatMap(([{ text, means }, { rules }]): Limit[] => {
    // It may be about any command.
    if (means.kind === "beyond" && rules.length === 0) return [{ entry: text, stops: () => true }];
    const held = rules.flatMap((rule) => ("tokens" in rule && !rule.exact ? [rule] : []));
    return [{ entry: text, stops: ({ tokens }) => held.some((rule) => startsWith(tokens, rule)) }];
  });
}

/** Whether words begin as a rule says. */
export function startsWith(words: readonly string[], { tokens, partial }: WordsRule): boolean {
  const last = tokens.length - 1;
  return tokens.every((token, at) =>
    partial && at === last ? words[at]?.startsWith(token) : words[at] === token,
  );
}

function adoptStricter({ text, effect, means }: ForeignEntry): Adopted {
  const entry = shown(text);
  if (text.length > longestEntry) return refused(entry, "It is too long.");
  if (means.kind === "other") return refused(entry, means.why);
  if (means.kind === "files") return adoptFiles(entry, effect, means);
  if (means.kind === "beyond") {
    if (means.lead === undefined) return refused(entry, means.why);
    const rules = toStricter({ tokens: means.lead, exact: false }, "ask");
    if (rules === undefined) return refused(entry, means.why);
    return {
      entry,
      outcome: "narrowed",
      reason: `${means.why} All that begins so asks.`,
      rules: [rules.rule],
    };
  }
  const made = means.rules.map((rule) => toStricter(rule, effect));
  const rules = made.flatMap((one) => (one === undefined ? [] : [one.rule]));
  if (rules.length === 0) return refused(entry, startsOthers);
  const changed = made.some((one) => one === undefined || one.changed);
  return changed
    ? {
        entry,
        outcome: "narrowed",
        reason: "It stops more here: programs by their names, and no empty words.",
        rules,
      }
    : { entry, outcome: "taken", rules };
}

const startsOthers = "The program starts others, and these are judged here by what they are.";

/** Rules know a program by its bare name, one that starts others not at all, and no word that is empty. */
function toStricter(
  { tokens: [first = "", ...rest], exact, partial }: WordsRule,
  effect: Effect,
): { rule: AdoptedRule; changed: boolean } | undefined {
  const name = programOf(first);
  if (name === "" || unwrapCommand(name, [plainWord(name)]).kind !== "plain") return undefined;
  const empty = rest.indexOf("");
  const tokens = [name, ...(empty < 0 ? rest : rest.slice(0, empty))];
  const rule = { effect, tokens, exact: exact && empty < 0, ...(partial && empty < 0 && { partial }) };
  return { rule, changed: name !== first || empty >= 0 };
}

function adoptAllowing({ text, effect, means }: ForeignEntry, limits: readonly Limit[]): Adopted {
  const entry = shown(text);
  if (text.length > longestEntry) return refused(entry, "It is too long.");
  if (means.kind === "beyond" || means.kind === "other") return refused(entry, means.why);
  if (means.kind === "files") return adoptFiles(entry, effect, means);
  const why: string[] = means.narrowed === undefined ? [] : [means.narrowed];
  const rules: AdoptedRule[] = [];
  for (const rule of means.rules) {
    const { tokens } = rule;
    const limit = limits.find(({ stops }) => stops(rule));
    const problem = limit
      ? `Because of ${shown(limit.entry, 80)}, not all of it would run there.`
      : checkRule({ tokens, effect: "allow" }, "bash");
    if (problem !== undefined) {
      if (!why.includes(problem)) why.push(problem);
      continue;
    }
    const exact = rule.exact || isExactRule({ tokens, effect: "allow" });
    if (exact && !rule.exact) why.push("Here only the whole command is allowed.");
    rules.push({ effect, tokens, exact, asWritten: true });
  }
  if (rules.length === 0) return refused(entry, why.at(-1) ?? "It names no command.");
  return why.length === 0
    ? { entry, outcome: "taken", rules }
    : { entry, outcome: "narrowed", reason: why.join(" "), rules };
}

function adoptFiles(
  entry: string,
  effect: Effect,
  { paths, operations, narrowed }: { paths: string[]; operations: FileOperation[]; narrowed?: string },
): Adopted {
  const problem = checkFileRule({ paths, operations, effect });
  if (problem !== undefined) return refused(entry, problem);
  const rules = [{ effect, files: paths, operations }];
  return narrowed === undefined
    ? { entry, outcome: "taken", rules }
    : { entry, outcome: "narrowed", reason: narrowed, rules };
}

const refused = (entry: string, reason: string): Adopted => ({
  entry,
  outcome: "refused",
  reason,
  rules: [],
});

/** What is refused is named by its beginning; what is taken is no longer than this can show. */
const shown = (text: string, most = 160) => (text.length > most ? `${text.slice(0, most)}…` : text);
