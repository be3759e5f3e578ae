/** A thread with a transcript, over a scripted host. */
import { expect, vi } from "vitest";
import { page } from "vitest/browser";
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import { messageIdSchema, turnIdSchema } from "../../../../shared/ids.ts";
import { useDrafts } from "../../../base/stores/drafts-store.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { lastPosition, sampleItem, sampleThread } from "../../../testing/samples.ts";
import { useAttachments } from "../composer/attachments-store.ts";

export const composer = page.getByRole("textbox", { name: "Message" });
export const log = page.getByRole("log", { name: "Conversation" });
export const sent = {
  messageId: messageIdSchema.parse("m"),
  turnId: turnIdSchema.parse("turn"),
  queued: false,
};

export const user = (id: string, text: string, change = {}) =>
  sampleItem(id, "userMessage", { text, attachments: [], queued: false, cancelled: false, ...change });

export async function openThread(items: TranscriptItem[], answers = {}, change = {}) {
  useDrafts.setState({}, true);
  useAttachments.setState(useAttachments.getInitialState(), true);
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done", ...change })], approvals: [] },
    { "threads.send": () => sent, ...answers },
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items, hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  return host;
}
