/** What a person does with a thread besides writing: stop, go on, fork. A failure is said in a message. */

import type { Input, Output, ProcedureName } from "../../../shared/contract/contract.ts";
import type { MessageId, ThreadId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { setDraft } from "../../base/stores/drafts-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { describeError } from "../../base/words.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

export const stopThread = (threadId: ThreadId) => attempt("threads.stop", { threadId });

export const resumeThread = (threadId: ThreadId) =>
  attempt("threads.resume", { commandId: newCommandId(), threadId });

export const takeBack = (threadId: ThreadId, messageId: MessageId) =>
  attempt("threads.cancelQueued", { threadId, messageId });

/**
 * Opens a new thread that holds what was said before a message.
 * @param then `send`: the new thread goes on with these words at once; `draft`: they wait in its message field.
 */
export async function forkThread(
  threadId: ThreadId,
  messageId: MessageId,
  then: { send: string } | { draft: string },
): Promise<void> {
  const fork = await attempt("threads.fork", {
    commandId: newCommandId(),
    threadId,
    messageId,
    ...("send" in then && { text: then.send }),
  });
  if (!fork) return;
  useThreads.getState().change([fork], []);
  if ("draft" in then) setDraft(fork.id, then.draft);
  go({ view: "thread", id: fork.id });
  showToast(strings.forked);
}

/** @returns nothing when it failed; the person was told. */
export async function attempt<K extends ProcedureName>(
  name: K,
  input: Input<K>,
): Promise<Output<K> | undefined> {
  try {
    return await client().call(name, input);
  } catch (error) {
    showProblem(common.failed, describeError(error));
    return undefined;
  }
}
