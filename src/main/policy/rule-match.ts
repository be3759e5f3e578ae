/** Finds the rule that speaks for a unit's words. */
import type { CommandRule, PolicyContext } from "./policy-context.ts";
import type { ShellWord } from "./shell-word.ts";

const strength: Record<CommandRule["effect"], number> = { allow: 0, ask: 1, deny: 2 };

/** Whether the words begin with the rule's tokens, or are just them when it is exact, each word being literal. */
export function matchesTokens(
  words: readonly ShellWord[],
  { tokens, exact, partial }: Pick<CommandRule, "tokens" | "exact" | "partial">,
): boolean {
  if (tokens.length === 0 || words.length < tokens.length) return false;
  if (exact === true && words.length !== tokens.length) return false;
  return tokens.every((token, at) => {
    const word = words[at]!;
    if (partial === true && at === tokens.length - 1) return word.value.startsWith(token);
    return word.problem === undefined && !word.glob && word.value === token;
  });
}

/** A workspace's own rules may tighten, but loosen only when the workspace is trusted. */
export function isInForce(rule: { scope: string; effect: string }, trusted: boolean): boolean {
  return trusted || rule.scope !== "workspace" || rule.effect !== "allow";
}

/**
 * `shown`: the command runs where it was shown, and its words are all there is to it. An exact rule allows no other
 * folder, in which the same words mean other files, and no redirection. `written`: see `CommandRule.asWritten`.
 */
export type Manner = { shown: boolean; written: boolean };

/** The strongest matching rule: deny before ask before allow whatever the scope, then the longest. */
export function matchRules(
  words: readonly ShellWord[],
  context: Pick<PolicyContext, "rules" | "trusted">,
  { shown, written }: Manner,
): CommandRule | undefined {
  let best: CommandRule | undefined;
  for (const rule of context.rules) {
    if (!isInForce(rule, context.trusted) || !matchesTokens(words, rule)) continue;
    if (rule.effect === "allow" && ((rule.exact && !shown) || (rule.asWritten && !written))) continue;
    const stronger = best === undefined ? 1 : strength[rule.effect] - strength[best.effect];
    if (stronger > 0 || (stronger === 0 && rule.tokens.length > best!.tokens.length)) best = rule;
  }
  return best;
}
