/** Writes rules of ours in another program's form: what it would let run by them is what ours name. */
import type { RuleFormat } from "../../../shared/contract/rule-exchange.ts";
import { startsWith } from "./adopt-entries.ts";
import { type Effect, simpleWords, type WordsRule } from "./foreign-entry.ts";
import { vsCodeSetting } from "./read-vscode.ts";

export type WritableRule = WordsRule & { effect: Effect; text: string };
export type Written = { text: string; left: { rule: string; reason: string }[] };

const noPlainWords = "It has words that cannot be written there without a doubt.";

/** Why a rule cannot be said there as it is meant here, or undefined. */
function findObstacle(
  { tokens, exact, partial, effect }: WritableRule,
  format: RuleFormat,
): string | undefined {
  if (format !== "codex")
    return tokens.every((token) => simpleWords(token)?.length === 1) ? undefined : noPlainWords;
  if (partial) return "Codex knows whole words only.";
  if (exact && effect === "allow") return "Codex knows beginnings of commands only.";
  return tokens.every((token) => /^[\x20-\x7e]+$/.test(token)) ? undefined : noPlainWords;
}

/** A rule that asks or stops and cannot be said there takes those with it that would let some of the same pass. */
export function writeForeignRules(format: RuleFormat, rules: readonly WritableRule[]): Written {
  const left: Written["left"] = [];
  const lost: WritableRule[] = [];
  const leave = ({ text: rule }: WritableRule, reason: string) => void left.push({ rule, reason });
  const kept = rules.filter((rule) => {
    const obstacle = findObstacle(rule, format);
    if (obstacle === undefined) return true;
    if (rule.effect !== "allow") lost.push(rule);
    leave(rule, obstacle);
    return false;
  });
  const written = kept.filter((rule) => {
    if (rule.effect !== "allow") return true;
    const limit = lost.find((one) => startsWith(one.tokens, rule) || startsWith(rule.tokens, one));
    if (limit !== undefined) leave(rule, `Without the rule ${limit.text} it would let more run there.`);
    return limit === undefined;
  });
  return { text: writers[format](written), left };
}

const writers: Record<RuleFormat, (rules: readonly WritableRule[]) => string> = {
  "claude-code"(rules) {
    const of = (effect: Effect) =>
      rules
        .filter((rule) => rule.effect === effect)
        .map(({ tokens, exact, partial }) => `Bash(${tokens.join(" ")}${exact ? "" : partial ? "*" : ":*"})`);
    return toJson({ permissions: { allow: of("allow"), ask: of("ask"), deny: of("deny") } });
  },
  codex(rules) {
    const decisions = { allow: "allow", ask: "prompt", deny: "forbidden" };
    return rules
      .map(
        ({ tokens, effect }) =>
          `prefix_rule(pattern=[${tokens.map((token) => JSON.stringify(token)).join(", ")}], decision="${decisions[effect]}")\n`,
      )
      .join("");
  },
  vscode(rules) {
    // What asks stands last, since of two entries for the same words the later one counts.
    const sorted = rules.toSorted((a, b) => Number(a.effect !== "allow") - Number(b.effect !== "allow"));
    const entries = sorted.map(({ tokens, exact, partial, effect }) => {
      const literal = tokens.join(" ").replaceAll(/[./+]/g, "\\$&");
      return [`/^${literal}${exact ? "$" : partial ? "" : "( |$)"}/`, effect === "allow"];
    });
    return toJson({ [vsCodeSetting]: Object.fromEntries(entries) });
  },
};

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
