/** How the pieces of a message that is being written add up, for host and page alike. */
import type { Delta } from "../contract/thread-reading.ts";

/** One delta that says what both said. */
export function joinDeltas(earlier: Delta | undefined, later: Delta): Delta {
  if (!earlier) return later;
  const text = (earlier.text ?? "") + (later.text ?? "");
  const reasoning = (earlier.reasoning ?? "") + (later.reasoning ?? "");
  return {
    ...later,
    text: text || undefined,
    reasoning: reasoning || undefined,
    toolName: later.toolName ?? earlier.toolName,
  };
}
