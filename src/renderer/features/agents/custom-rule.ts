import type { InterruptRule } from "../../../shared/contract/agents.ts";

/** A rule of its own for one tool, beside yes and no. */
export type CustomRule = Extract<InterruptRule, object>;
