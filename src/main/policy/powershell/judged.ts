/** What is said of one command of a pipeline, and what it hands on to the next. */
import type { VerdictClass, VerdictName } from "../../../shared/contract/decisions.ts";

/**
 * What the command before hands on: nothing, files whose names were narrowed or not, processes, lines of text, or objects
 * whose properties may name files.
 */
export type Stream = "nothing" | "chosen files" | "any files" | "processes" | "text" | "data";

/** A verdict before rules. */
export type Judged = { verdict: VerdictName; reason: string; stream: Stream; class?: VerdictClass };

/** Of a part that asks nothing is known but the reason. */
export const ask = (reason: string): Judged => ({ verdict: "ask", reason, stream: "data" });
