/** What the console stream sends at once fits into a frame, counted in bytes and not in letters. */
import { expect, it } from "vitest";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { jsonBytes } from "../../shared/wire/json-bytes.ts";
import { createChanges } from "../threads/changes.ts";
import { type ConsoleSource, watchConsole } from "./console-feed.ts";

const ids = Array.from({ length: 12 }, (_, at) => `a${at}` as ApprovalId);

it("sends what is there, and then what changes, in parts that fit whatever script it is in", async () => {
  // Three bytes a letter.
  const text = "天".repeat(20_000);
  const changes = createChanges(() => {});
  const source = {
    changes,
    info: () => ({}),
    settings: () => ({}),
    threads: () => ids.map((id) => ({ id, title: text })),
    thread: (id: ThreadId) => ({ id }),
    pendingApprovals: () => ids,
    approval: (id: ApprovalId) => ({ id, status: "pending", description: text }),
    today: () => ({}),
  };
  const sent = { threads: 0, approvals: 0, changed: 0 };
  // The feed looks at no more of a card or a thread than this.
  for await (const item of watchConsole(source as unknown as ConsoleSource, new AbortController().signal)) {
    expect(jsonBytes(item), item.kind).toBeLessThan(401_000);
    if (item.kind === "threads") sent.threads += item.threads.length;
    if (item.kind === "approvals") sent.approvals += item.approvals.length;
    if (item.kind === "ready")
      for (const approvalId of ids) changes.tell({ kind: "approval", approvalId, threadId: "t" as ThreadId });
    if (item.kind === "changes") sent.changed += item.approvals.length;
    if (sent.changed === ids.length) break;
  }
  expect(sent).toEqual({ threads: 12, approvals: 12, changed: 12 });
});
