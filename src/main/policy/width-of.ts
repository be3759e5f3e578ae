/** How far a command needs to reach, by what the policy said of its parts: no further than their words say. */
import type { Verdict, Width } from "../../shared/contract/decisions.ts";
import { actsOutside } from "./bounded/outside-programs.ts";

const saysGit = /^(?:time |nice |timeout \S+ )*git(?:\s|$)/;

/**
 * Confined where that can do what the words say. What may write to repositories has to say git itself: nothing that a script
 * does in secret writes there. One part that needs more takes the whole command outside, which is said before it runs.
 */
export function widthOf({ verdict, units }: Verdict): Width {
  if (verdict === "safe") return "read-only";
  const needsMore = units.some(
    ({ text, sandbox, class: beyond }) => sandbox === "refuses" || beyond === "leaves" || actsOutside(text),
  );
  if (needsMore) return "outside";
  return units.some(({ text }) => saysGit.test(text)) ? "workspace and git" : "workspace";
}
