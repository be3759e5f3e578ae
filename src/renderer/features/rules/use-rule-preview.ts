/** Asks the host what a rule would have decided in the past, a moment after the last key press. */
import { useEffect, useState } from "react";
import type { Input, Output } from "../../../shared/contract/contract.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";

export type RulePreview = Output<"rules.preview">;

const pauseMs = 250;

/** @returns `pending` until the answer for exactly this rule is there; `problem` when there is none. */
export function useRulePreview(rule: Input<"rules.preview"> | undefined): {
  preview?: RulePreview;
  problem?: string;
  pending: boolean;
} {
  const key = rule && JSON.stringify(rule);
  const [state, setState] = useState<{ key?: string; preview?: RulePreview; problem?: string }>({});
  useEffect(() => {
    if (!key) return;
    let gone = false;
    const timer = setTimeout(() => {
      client()
        .call("rules.preview", JSON.parse(key))
        .then((preview) => !gone && setState({ key, preview }))
        .catch((error) => !gone && setState({ key, problem: describeError(error) }));
    }, pauseMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [key]);
  if (!key) return { pending: false };
  return state.key === key
    ? { preview: state.preview, problem: state.problem, pending: false }
    : { pending: true };
}
