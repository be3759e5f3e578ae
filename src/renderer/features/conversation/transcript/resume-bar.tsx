/** Offers to go on where a crash or a restart ended a turn without a word in the transcript. */

import { RotateCw } from "lucide-react";
import { useAbility, useThreads } from "../../../base/stores/threads-store.ts";
import { Button } from "../../../ui/button.tsx";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { resumeThread } from "../../threads/thread-commands.ts";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { strings } from "../strings.ts";

export function ResumeBar() {
  const { threadId } = useConversation();
  const interrupted = useThreads((state) => state.byId.get(threadId)?.status === "interrupted");
  const canResume = useAbility(threadId, "resume");
  const problem = useThreads((state) => state.byId.get(threadId)?.problem);
  const saidInTranscript = useTranscript((state) => {
    const last = state.items.get(state.order.at(-1) ?? "");
    return last?.kind === "turnEnd";
  });
  if (!interrupted || saidInTranscript) return null;
  return (
    <div role="alert" className="border-t border-warn bg-warn-soft px-4 py-2 text-warn">
      <div className="flex max-w-[820px] flex-wrap items-center gap-2">
        <span className="font-medium">{strings.turn.interrupted}</span>
        {problem && <ForeignText className="min-w-0 flex-1" text={problem} lines />}
        {canResume && (
          <Button small onClick={() => void resumeThread(threadId)} className="[&_svg]:size-3">
            <RotateCw aria-hidden />
            {strings.resume}
          </Button>
        )}
      </div>
    </div>
  );
}
