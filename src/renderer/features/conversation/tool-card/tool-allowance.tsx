/** Who let a call through or refused it and why, and while it waits the way to its request below. */
import type { Decision } from "../../../../shared/contract/decisions.ts";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import type { ApprovalId } from "../../../../shared/ids.ts";
import { wordsOfWidth } from "../../../base/width-words.ts";
import { Button } from "../../../ui/button.tsx";
import { makeCurrent } from "../../approvals/queue-store.ts";
import { useConversation } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { type AllowedBy, useAllowance } from "../transcript/allowed-by-store.ts";

export function ToolAllowance({ item }: { item: ToolCallItem }) {
  const { threadId } = useConversation();
  const allowance = useAllowance(item, threadId);
  if (item.state === "waiting" && item.approvalId)
    return <WaitsForYou approvalId={item.approvalId as ApprovalId} />;
  if (!allowance && !item.decision && !item.width) return null;
  return (
    <div className="text-xs text-ink-3">
      {allowance && <p data-find="skip">{sayWho(allowance, item.decision)}</p>}
      {item.width && <p data-find="skip">{wordsOfWidth(item.width)}</p>}
      {item.decision?.type === "reject" && item.decision.message && (
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {`${strings.reason}: ${item.decision.message}`}
        </p>
      )}
    </div>
  );
}

function sayWho({ by, verdict }: AllowedBy, decision: Decision | undefined): string {
  const refused = decision?.type === "reject";
  const who =
    decision?.type === "respond"
      ? strings.outcomes.answered
      : (refused ? strings.refusedBy : strings.allowedBy)[by.kind];
  const reasons = by.kind === "rule" || by.kind === "policy" ? reasonsOf(verdict) : "";
  const changed = decision?.type === "edit" ? `, ${strings.changed}` : "";
  return `${who}${changed}${reasons ? strings.because(reasons) : ""}`;
}

function reasonsOf(verdict: AllowedBy["verdict"]): string {
  const reasons = verdict?.units.map((unit) => unit.rule ?? unit.reason) ?? [];
  return [...new Set(reasons)].slice(0, 4).join(" ");
}

function WaitsForYou({ approvalId }: { approvalId: ApprovalId }) {
  return (
    <Button small className="self-start" onClick={() => makeCurrent(approvalId, true)}>
      {strings.showRequest}
    </Button>
  );
}
