/** What the agent wrote before the call: a claim of the agent, so it is drawn as words of somebody else. */
import type { Said } from "../../../shared/contract/approvals.ts";
import { formatBytes } from "../../base/words.ts";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { quoted } from "./read-text.tsx";
import { subjectStrings } from "./subject-strings.ts";

export function AgentWords({ said: { text, leftOut } }: { said: Said }) {
  return (
    <blockquote aria-label={subjectStrings.agentSays} className={cx(quoted, "max-w-[72ch] text-ink-2")}>
      {leftOut !== undefined && (
        <span className="text-sm text-ink-3">{subjectStrings.agentSaidMore(formatBytes(leftOut))} </span>
      )}
      <ForeignText text={text} />
    </blockquote>
  );
}
