/** Reads a file of rules of Codex, which are calls of functions in Starlark. */
import { parseCommandRule } from "../command-rule.ts";
import type { Effect, ForeignEntry, ForeignRules, Meaning, WordsRule } from "./foreign-entry.ts";
import { readStarlarkCalls, type StarlarkCall, type Value } from "./starlark-calls.ts";

const effects: Record<string, Effect> = { allow: "allow", prompt: "ask", forbidden: "deny" };
const known = new Set(["pattern", "decision", "match", "not_match", "justification"]);
/** So many rules one entry may stand for. */
const mostRules = 64;

/** @param text calls of `prefix_rule`; anything else in it is an entry that is refused. */
export function readCodex(text: string): ForeignRules {
  const { calls, unreadFrom } = readStarlarkCalls(text);
  const entries = calls.map(readCall);
  if (unreadFrom !== undefined) {
    const means = unread(
      "Only calls with texts and lists of texts are read, and what follows may stop something.",
    );
    entries.push({ text: `from line ${unreadFrom} on`, effect: "deny", means });
  }
  return { entries };
}

const unread = (why: string): Meaning => ({ kind: "beyond", why });

function readCall(call: StarlarkCall): ForeignEntry {
  const { text, name } = call;
  const about = { text, effect: "deny" as const };
  if (name === "network_rule")
    return {
      ...about,
      means: { kind: "other", why: "Rules here are about commands and files, not addresses." },
    };
  if (name === "host_executable")
    return {
      ...about,
      means: { kind: "other", why: "What is taken holds for a program's bare name alone." },
    };
  if (name !== "prefix_rule") return { ...about, means: unread("It is no call that is known.") };
  return (
    readPrefixRule(call) ?? { ...about, means: unread("It cannot be read in full, and may stop something.") }
  );
}

/** Codex takes no file in which one rule is wrong, so that has to be known here too. */
function readPrefixRule({ text, positional, named }: StarlarkCall): ForeignEntry | undefined {
  if (positional.length > 2 || [...named.keys()].some((name) => !known.has(name))) return undefined;
  const pattern = positional[0] ?? named.get("pattern");
  const decision = positional[1] ?? named.get("decision") ?? "allow";
  const isGivenTwice = (at: number, name: string) => positional.length > at && named.has(name);
  if (isGivenTwice(0, "pattern") || isGivenTwice(1, "decision")) return undefined;
  if (typeof decision !== "string" || !Object.hasOwn(effects, decision)) return undefined;
  const effect = effects[decision]!;
  const places = readPlaces(pattern);
  if (places === undefined) return undefined;
  const count = places.reduce((product, place) => product * place.length, 1);
  if (count > mostRules) {
    const end = places.findIndex((place) => place.length > 1);
    const lead = end > 0 ? places.slice(0, end).map(([word]) => word!) : undefined;
    return { text, effect, means: { kind: "beyond", why: `It stands for ${count} rules.`, lead } };
  }
  const rules = places
    .reduce<string[][]>(
      (begun, place) => begun.flatMap((words) => place.map((word) => [...words, word])),
      [[]],
    )
    .map((tokens) => ({ tokens, exact: false }));
  const examples = [
    ...readExamples(named.get("match"), rules, true),
    ...readExamples(named.get("not_match"), rules, false),
  ];
  return examples.every(Boolean) ? { text, effect, means: { kind: "words", rules } } : undefined;
}

/** Each place of the pattern as the words that may stand there. */
function readPlaces(pattern: Value | undefined): string[][] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined;
  const places = pattern.map((place) => (typeof place === "string" ? [place] : place));
  const isRead = places.every((place) => place.length > 0 && place.every((word) => typeof word === "string"));
  return isRead ? (places as string[][]) : undefined;
}

/** Whether each example is matched or not, as it says; one that cannot be read counts as wrong. */
function readExamples(examples: Value | undefined, rules: readonly WordsRule[], matched: boolean): boolean[] {
  if (examples === undefined) return [];
  if (!Array.isArray(examples)) return [false];
  return examples.map((example) => {
    const parsed = typeof example === "string" ? parseCommandRule(example, "bash") : { tokens: example };
    if ("problem" in parsed) return false;
    const isMatch = rules.some(({ tokens }) => tokens.every((token, at) => parsed.tokens[at] === token));
    return isMatch === matched;
  });
}
