/** How far a command needs to reach, by what the policy said of its parts: no further than their words say. */
import type { Verdict, Width } from "../../shared/contract/decisions.ts";

/** These act with others' rights, on other programs or on the machine, which nothing confined can. */
const actsOutside =
  /^(?:sudo|doas|su|pkexec|kill|pkill|killall|systemctl|service|mount|umount|gpg|ssh-add|chown|git (?:-\S+ )*(?:config|init))(?:\s|$)/;
const saysGit = /^(?:time |nice |timeout \S+ )*git(?:\s|$)/;

/**
 * Confined where that can do what the words say. What may write to repositories has to say git itself: nothing that a script
 * does in secret writes there. One part that needs more takes the whole command outside, which is said before it runs.
 */
export function widthOf({ verdict, units }: Verdict): Width {
  if (verdict === "safe") return "read-only";
  const needsMore = units.some(
    ({ text, sandbox, class: beyond }) =>
      sandbox === "refuses" || beyond === "leaves" || actsOutside.test(text),
  );
  if (needsMore) return "outside";
  return units.some(({ text }) => saysGit.test(text)) ? "workspace and git" : "workspace";
}
