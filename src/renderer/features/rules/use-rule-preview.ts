/** Asks the host what a rule would have decided in the past, a moment after the last key press. */
import type { Input, Output } from "../../../shared/contract/contract.ts";
import { client } from "../../base/client.ts";
import { useReading } from "../../base/use-reading.ts";

export type RulePreview = Output<"rules.preview">;

const pauseMs = 250;

/** @returns `pending` until the answer for exactly this rule is there; `problem` when there is none. */
export function useRulePreview(rule: Input<"rules.preview"> | undefined): {
  preview?: RulePreview;
  problem?: string;
  pending: boolean;
} {
  const { value, problem, busy } = useReading(
    rule && JSON.stringify(rule),
    async () => rule && client().call("rules.preview", rule),
    pauseMs,
  );
  return rule && !busy ? { preview: value, problem, pending: false } : { pending: rule !== undefined };
}
