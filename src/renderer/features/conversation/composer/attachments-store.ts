/** What is attached to each thread's unsent message; it lives as long as the window, since images are too large to keep. */
import { create } from "zustand";
import type { Attachment } from "../../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../../shared/ids.ts";

type Attached = { byThread: ReadonlyMap<ThreadId, readonly Attachment[]> };

export const useAttachments = create<Attached>(() => ({ byThread: new Map() }));

export function attachmentsOf(threadId: ThreadId): readonly Attachment[] {
  return useAttachments.getState().byThread.get(threadId) ?? [];
}

/** A file that is attached already is not attached twice. */
export function attach(threadId: ThreadId, added: readonly Attachment[]): void {
  const before = attachmentsOf(threadId);
  const paths = new Set(before.flatMap((one) => (one.kind === "file" ? [one.path] : [])));
  replace(threadId, [...before, ...added.filter((one) => one.kind === "image" || !paths.has(one.path))]);
}

export function detach(threadId: ThreadId, gone: Attachment): void {
  replace(
    threadId,
    attachmentsOf(threadId).filter((one) => one !== gone),
  );
}

export function clearAttachments(threadId: ThreadId): void {
  replace(threadId, []);
}

function replace(threadId: ThreadId, attachments: readonly Attachment[]): void {
  useAttachments.setState(({ byThread }) => {
    const next = new Map(byThread);
    if (attachments.length > 0) next.set(threadId, attachments);
    else next.delete(threadId);
    return { byThread: next };
  });
}

export function nameOf(attachment: Attachment): string {
  return attachment.kind === "file" ? attachment.path : attachment.name;
}
