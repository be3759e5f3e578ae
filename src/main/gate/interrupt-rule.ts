/** Reads what an agent's `interruptOn` says about one tool call. */
import type { InterruptRule } from "../../shared/contract/agents.ts";
import type { DecisionType } from "../../shared/contract/decisions.ts";

export type Asked = {
  allowed: DecisionType[];
  description: string | undefined;
  argsSchema: Record<string, unknown> | undefined;
};

const everyDecision: DecisionType[] = ["approve", "edit", "reject", "respond"];

/**
 * @returns how to ask, `"run"` when the configuration says not to ask, `"policy"` when it says nothing.
 *   Deep Agents: `true` asks with every decision allowed; `when` false means the call needs no person.
 */
export function readInterruptRule(
  rule: InterruptRule | undefined,
  args: Record<string, unknown>,
): Asked | "run" | "policy" {
  if (rule === undefined) return "policy";
  if (rule === false) return "run";
  if (rule === true) return { allowed: everyDecision, description: undefined, argsSchema: undefined };
  if (rule.when && !matchesWhen(rule.when.args, args)) return "run";
  return {
    allowed: rule.allowedDecisions,
    description: rule.description && fillIn(rule.description, args),
    argsSchema: rule.argsSchema,
  };
}

/** How to ask when the policy wants a person and the configuration did not say how. */
export const askDefault: Asked = { allowed: everyDecision, description: undefined, argsSchema: undefined };

type Conditions = Record<string, { matches?: string; equals?: unknown; not?: boolean }>;

function matchesWhen(conditions: Conditions, args: Record<string, unknown>): boolean {
  return Object.entries(conditions).every(([name, condition]) => {
    const value = args[name];
    const holds =
      (condition.matches === undefined ||
        new RegExp(condition.matches, "u").test(
          typeof value === "string" ? value : JSON.stringify(value ?? null),
        )) &&
      (condition.equals === undefined || JSON.stringify(value) === JSON.stringify(condition.equals));
    return holds !== (condition.not ?? false);
  });
}

function fillIn(template: string, args: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = args[name];
    return value === undefined ? whole : typeof value === "string" ? value : JSON.stringify(value);
  });
}
