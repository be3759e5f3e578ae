/** Turns a thread's auto-approve switch on and off, and asks first when it would decide what already waits. */

import { create } from "zustand";
import type { ShownApproval } from "../../../shared/contract/approvals.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { attempt } from "../../ui/attempt.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

/** The thread the question is about, while it is asked. */
export const useAutoApproveQuestion = create<{ threadId?: ThreadId }>(() => ({}));

/** Off goes off at once; on goes on at once when nothing waits, else it asks what to do with that. */
export async function askAutoApprove(threadId: ThreadId): Promise<void> {
  const isOn = useThreads.getState().byId.get(threadId)?.autoApprove != null;
  if (isOn) return setAutoApprove(threadId, false);
  const waits = useApprovals.getState().pending.some((one) => one.threadId === threadId);
  if (waits) useAutoApproveQuestion.setState({ threadId });
  else await setAutoApprove(threadId, true);
}

/** @param approve of what waits, exactly what was shown and confirmed. */
export async function setAutoApprove(
  threadId: ThreadId,
  on: boolean,
  approve: readonly ShownApproval[] = [],
): Promise<void> {
  useAutoApproveQuestion.setState({ threadId: undefined });
  const { auto } = strings;
  await attempt(async () => {
    const { autoApprove, approved, left } = await client().call("threads.setAutoApprove", {
      threadId,
      on,
      approve: [...approve],
    });
    const thread = useThreads.getState().byId.get(threadId);
    if (thread) useThreads.getState().change([{ ...thread, autoApprove }], []);
    if (approved.length > 0) showToast(auto.on, auto.receipt(approved.length));
    const [first] = left;
    if (first) showProblem(auto.notLet(left.length), first.why);
  });
}
