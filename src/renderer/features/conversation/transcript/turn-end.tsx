/** How a turn ended; when it did not end well, what happened and how to go on. */
import { RotateCw } from "lucide-react";
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import { useAbility, useThreads } from "../../../base/stores/threads-store.ts";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/class-names.ts";
import { resumeThread } from "../../threads/thread-commands.ts";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { TurnCost } from "../header/cost-words.tsx";
import { strings } from "../strings.ts";

type TurnEndItem = Extract<TranscriptItem, { kind: "turnEnd" }>;

export function TurnEnd({ item }: { item: TurnEndItem }) {
  const { threadId } = useConversation();
  const isLast = useTranscript((state) => state.order.at(-1) === item.id && state.liveIds.length === 0);
  const active = useThreads((state) =>
    ["running", "queued", "waiting"].includes(state.byId.get(threadId)?.status ?? ""),
  );
  const bad = item.outcome === "failed" || item.outcome === "interrupted";
  const canResume = useAbility(threadId, "resume");
  const canGoOn = canResume && isLast && !active && item.outcome !== "done" && item.retryable !== false;
  return (
    <div
      role={bad && isLast ? "alert" : undefined}
      className={cx(
        "flex flex-wrap items-center gap-2 border-t pt-2 text-sm",
        bad ? "border-bad text-bad" : "border-line text-ink-3",
      )}
    >
      <span className="font-medium">{strings.turn[item.outcome]}</span>
      <TurnCost turnId={item.turnId} />
      {item.problem && <span className="min-w-0 [overflow-wrap:anywhere]">{item.problem}</span>}
      {canGoOn && (
        <Button small onClick={() => void resumeThread(threadId)} className="[&_svg]:size-3">
          <RotateCw aria-hidden />
          {item.outcome === "failed" ? strings.retry : strings.resume}
        </Button>
      )}
    </div>
  );
}
