/** What a person does with a thread besides writing: stop, go on, put away, fork. A failure is said in a message. */

import type { Input } from "../../../shared/contract/contract.ts";
import type { MessageId, ThreadId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { setDraft } from "../../base/stores/drafts-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { attempt } from "../../ui/attempt.ts";
import { showToast } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

export const stopThread = (threadId: ThreadId) => attempt(() => client().call("threads.stop", { threadId }));

export const resumeThread = (threadId: ThreadId) =>
  attempt(() => client().call("threads.resume", { commandId: newCommandId(), threadId }));

export const setFlags = (flags: Input<"threads.setFlags">) =>
  attempt(() => client().call("threads.setFlags", flags));

export const takeBack = (threadId: ThreadId, messageId: MessageId) =>
  attempt(() => client().call("threads.cancelQueued", { threadId, messageId }));

/**
 * Opens a new thread that holds what was said before a message.
 * @param then `send`: the new thread goes on with these words at once; `draft`: they wait in its message field.
 */
export async function forkThread(
  threadId: ThreadId,
  messageId: MessageId,
  then: { send: string } | { draft: string },
): Promise<void> {
  const fork = await attempt(() =>
    client().call("threads.fork", {
      commandId: newCommandId(),
      threadId,
      messageId,
      ...("send" in then && { text: then.send }),
    }),
  );
  if (!fork) return;
  useThreads.getState().change([fork], []);
  if ("draft" in then) setDraft(fork.id, then.draft);
  go({ view: "thread", id: fork.id });
  showToast(strings.forked);
}
