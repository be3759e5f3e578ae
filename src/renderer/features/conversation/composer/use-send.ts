/** Sends what stands in a thread's message field; the draft goes only once the host has it. */

import { useState } from "react";
import type { ThreadSummary } from "../../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { client, newCommandId } from "../../../base/client.ts";
import { draftOf, pastedOf, setDraft, setPasted } from "../../../base/stores/drafts-store.ts";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { attempt } from "../../../ui/attempt.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { useConversation } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { showEnd } from "../transcript/transcript-window.ts";
import { useChangedThread } from "./agents-store.ts";
import { fits } from "./attach-files.ts";
import { attachmentsOf, clearAttachments } from "./attachments-store.ts";
import { expand, longestMessageChars } from "./long-text.ts";
import { findOwnCommand, loadOwnCommands, putOwnCommand, useOwnCommands } from "./own-commands.ts";
import { commandsOf, runSlashCommand } from "./slash-commands.ts";
import type { WhileWaiting } from "./waiting-question.tsx";

/** No command of a folder can take the name of one of the console's. */
function runsOwn(thread: ThreadSummary, draft: string): boolean {
  return !commandsOf(thread).some(({ name }) => new RegExp(`^/${name}(\\s|$)`).test(draft.trim()));
}

/** @returns `asking` while the person has to say what becomes of the approvals that wait. */
export function useSend(threadId: ThreadId) {
  const { store } = useConversation();
  const [sending, setSending] = useState(false);
  const [asking, setAsking] = useState(false);

  async function send(whileWaiting?: WhileWaiting): Promise<void> {
    // Who pasted a command saw no list of them, which is when they are read.
    if (draftOf(threadId).startsWith("/") && useOwnCommands.getState().threadId !== threadId)
      await loadOwnCommands(threadId);
    const draft = draftOf(threadId);
    const text = expand(draft, pastedOf(threadId));
    const attachments = [...attachmentsOf(threadId)];
    const thread = useThreads.getState().byId.get(threadId);
    if (!thread || sending || (text.trim() === "" && attachments.length === 0)) return;
    const own = runsOwn(thread, draft) && findOwnCommand(threadId, draft);
    if (own) {
      // Its text is looked at before it is sent.
      putOwnCommand(threadId, own.command, own.rest);
      return;
    }
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
    await attempt(async () => {
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
    }, strings.sendFailed);
    setSending(false);
  }

  return { send, sending, asking, keepWriting: () => setAsking(false) };
}
