/** Says in one line what a rule is about, what it does and where it holds. */
import type { Rule } from "../../../shared/contract/rules.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { shortenPath } from "../../base/words.ts";
import { strings } from "./strings.ts";

export function RulePlace({ rule }: { rule: Rule }) {
  const home = useHost((state) => state.host?.home);
  const thread = useThreads((state) => (rule.threadId ? state.byId.get(rule.threadId) : undefined));
  const where = rule.scope === "thread" ? thread?.title : rule.workspace && shortenPath(rule.workspace, home);
  const extent = rule.exact ? strings.extents.exact : undefined;
  const written = rule.asWritten ? strings.asWritten : undefined;
  return [
    strings.targets[rule.target],
    extent,
    written,
    strings.effects[rule.effect],
    strings.scopes[rule.scope],
    where,
  ]
    .filter(Boolean)
    .join(" · ");
}
