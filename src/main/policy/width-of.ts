/** How far a command needs to reach, by what the policy said of its parts: no further than their words say. */
import type { Verdict, Width } from "../../shared/contract/decisions.ts";
import { writeWidth } from "../../shared/width.ts";
import { onlyFetches } from "./bounded/only-fetches.ts";
import { actsOutside } from "./bounded/outside-programs.ts";

const saysGit = /^(?:time |nice |timeout \S+ )*git(?:\s|$)/;

/**
 * @param folders those that the person named
 *
 * Confined where that can do what the words say. What may write to repositories has to say git itself: nothing that a script
 * does in secret writes there. One part that needs more takes the whole command outside, which is said before it runs.
 */
export function widthOf({ verdict, units }: Verdict, folders: readonly string[] = []): Width {
  if (verdict === "safe") return "read-only";
  const needMore = units.filter(
    ({ text, sandbox, class: beyond }) => sandbox === "refuses" || beyond === "leaves" || actsOutside(text),
  );
  if (!needMore.every(({ text }) => onlyFetches(text))) return "outside";
  const files = units.some(({ text }) => saysGit.test(text)) ? "workspace and git" : "workspace";
  return writeWidth({ files, folders, ...(needMore.length > 0 && { grant: "network" }) });
}
