/** What the console stream sends at once fits into a frame, counted in bytes and not in letters. */
import { expect, it, onTestFinished, vi } from "vitest";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { jsonBytes } from "../../shared/wire/json-bytes.ts";
import { createChanges } from "../threads/changes.ts";
import { type ConsoleSource, watchConsole } from "./console-feed.ts";

const threadId = "t" as ThreadId;
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
      for (const approvalId of ids) changes.tell({ kind: "approval", approvalId, threadId, isAsked: true });
    if (item.kind === "changes") sent.changed += item.approvals.length;
    if (sent.changed === ids.length) break;
  }
  expect(sent).toEqual({ threads: 12, approvals: 12, changed: 12 });
});

it("tells of a new question at once, and of what becomes of one with all else that happens", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const changes = createChanges(() => {});
  const source = {
    ...{ changes, info: () => ({}), settings: () => ({}), threads: () => [], thread: () => undefined },
    ...{ pendingApprovals: () => [], approval: () => undefined, today: () => ({}) },
  };
  const leaving = new AbortController();
  const told: { gone: string[]; at: number }[] = [];
  const began = performance.now();
  const following = (async () => {
    for await (const item of watchConsole(source as unknown as ConsoleSource, leaving.signal))
      if (item.kind === "changes") told.push({ gone: item.removedApprovals, at: performance.now() - began });
  })();
  const tell = (approvalId: ApprovalId, isAsked: boolean) =>
    changes.tell({ kind: "approval", approvalId, threadId, isAsked });
  const [first, second, third] = ids as [ApprovalId, ApprovalId, ApprovalId];
  await vi.advanceTimersByTimeAsync(100);
  tell(first, true);
  await vi.advanceTimersByTimeAsync(10);
  tell(first, false);
  await vi.advanceTimersByTimeAsync(20);
  expect(told).toEqual([{ gone: [first], at: 100 }]);
  tell(second, true);
  await vi.advanceTimersByTimeAsync(10);
  tell(third, false);
  await vi.advanceTimersByTimeAsync(60);
  expect(told.slice(1)).toEqual([
    { gone: [first, second], at: 130 },
    { gone: [third], at: 180 },
  ]);
  leaving.abort();
  await following;
});
