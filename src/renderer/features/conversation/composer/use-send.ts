/** Sends what stands in a thread's message field; the draft goes only once the host has it. */
import { useState } from "react";
import type { ThreadId } from "../../../../shared/ids.ts";
import { client, newCommandId } from "../../../base/client.ts";
import { draftOf, pastedOf, setDraft, setPasted } from "../../../base/stores/drafts-store.ts";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { describeError } from "../../../base/words.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { useConversation } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { showEnd } from "../transcript/transcript-window.ts";
import { useChangedThread } from "./agents-store.ts";
import { attachmentsOf, clearAttachments } from "./attachments-store.ts";
import { expand, longestMessageChars } from "./long-text.ts";
import { fits } from "./read-image.ts";
import { runSlashCommand } from "./slash-commands.ts";
import type { WhileWaiting } from "./waiting-question.tsx";

/** @returns `asking` while the person has to say what becomes of the approvals that wait. */
export function useSend(threadId: ThreadId) {
  const { store } = useConversation();
  const [sending, setSending] = useState(false);
  const [asking, setAsking] = useState(false);

  async function send(whileWaiting?: WhileWaiting): Promise<void> {
    const draft = draftOf(threadId);
    const text = expand(draft, pastedOf(threadId));
    const attachments = [...attachmentsOf(threadId)];
    const thread = useThreads.getState().byId.get(threadId);
    if (!thread || sending || (text.trim() === "" && attachments.length === 0)) return;
    const command = attachments.length === 0 ? runSlashCommand(draft, thread, store) : "message";
    if (command === "ran") setDraft(threadId, "");
    if (command !== "message") return;
    if (!fits(text, attachments) || text.length > longestMessageChars) {
      showProblem(strings.sendFailed, strings.tooMuch);
      return;
    }
    if (thread.waiting > 0 && !whileWaiting) {
      setAsking(true);
      return;
    }
    setAsking(false);
    setSending(true);
    try {
      await client().call("threads.send", {
        commandId: newCommandId(),
        threadId,
        text,
        attachments,
        ...(whileWaiting && { whileWaiting }),
      });
      if (draftOf(threadId) === draft) {
        setDraft(threadId, "");
        setPasted(threadId, []);
      }
      clearAttachments(threadId);
      useChangedThread.setState({ threadId: undefined });
      // Who sends something wants to see what comes of it.
      showEnd(store);
    } catch (error) {
      showProblem(strings.sendFailed, describeError(error));
    } finally {
      setSending(false);
    }
  }

  return { send, sending, asking, keepWriting: () => setAsking(false) };
}
