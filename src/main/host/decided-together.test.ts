/** Many approvals decided at once: each as if it were decided alone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

withHost("file");

const ran = (file: string) => existsSync(join(folders.workspace, file));

describe("many decided at once", () => {
  const approveMany = (waiting: Approval[], graceMs?: number) =>
    console.client.call("approvals.decide", {
      commandId: newCommandId(),
      items: waiting.map(({ id, digest }) => ({ id, digest })),
      decision: { type: "approve" },
      graceMs,
    });

  it("start together when their grace is over, and none before", async () => {
    const threadId = await console.start("run touch many-1\nrun touch many-2\nrun touch many-3");
    const waiting = await console.untilPending(threadId, 3);
    const before = Date.now();
    const { outcomes } = await approveMany(waiting, 100);
    const ends = outcomes.map(({ approval }) => approval?.effectiveAt ?? 0);
    expect(new Set(ends).size).toBe(1);
    expect(ends[0]).toBeGreaterThanOrEqual(before + 100);
    await console.untilStatus(threadId, "done");
    const starts = (await console.ledger(threadId)).map(({ at }) => at);
    expect(starts).toHaveLength(3);
    for (const at of starts) expect(at).toBeGreaterThanOrEqual(ends[0] ?? 0);
  });

  it("are taken back together, and what has started meanwhile says so", async () => {
    const threadId = await console.start("run touch back-1\nrun touch back-2\nrun touch back-3");
    const [started, ...batch] = await console.untilPending(threadId, 3);
    await console.approve(started!);
    await console.until(() => ran("back-1") || ran("back-2") || ran("back-3"), "the first has run");
    await approveMany(batch, 10_000);
    const ids = [started!, ...batch].map(({ id }) => id);
    const { outcomes } = await console.client.call("approvals.undo", { ids });
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true, true]);
    expect(outcomes[0]).toMatchObject({ reason: expect.stringContaining("too late") });
    const again = await console.untilPending(threadId, 2);
    expect(again.map(({ digest }) => digest).sort()).toEqual(batch.map(({ digest }) => digest).sort());
    for (const one of again) await console.decide(one, { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect((await console.ledger(threadId)).filter(({ executionId }) => executionId)).toHaveLength(1);
  });

  it("are approved or rejected: what only fits one call is refused, and nothing is decided", async () => {
    const threadId = await console.start("run touch fits-1\nrun touch fits-2");
    const items = (await console.untilPending(threadId, 2)).map(({ id, digest }) => ({ id, digest }));
    for (const decision of [
      { type: "edit" as const, args: { command: "true" } },
      { type: "respond" as const, answer: "done" },
    ])
      await expect(
        console.client.call("approvals.decide", { commandId: newCommandId(), items, decision }),
      ).rejects.toMatchObject({ code: "invalid-input" });
    await console.untilPending(threadId, 2);
    await console.stop(threadId);
  });

  it("say of each what became of it: decided, decided before, not what was shown, gone", async () => {
    const threadId = await console.start("run touch each-1\nrun touch each-2\nrun touch each-3");
    const [first, second, third] = await console.untilPending(threadId, 3);
    await console.decide(first!, { type: "reject" });
    const { outcomes } = await approveMany([
      first!,
      second!,
      { ...third!, digest: "0".repeat(64) },
      { ...third!, id: "appr-nowhere" as Approval["id"] },
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true, false, false]);
    expect(outcomes.map((one) => (one.ok ? "" : one.reason))).toEqual([
      expect.stringContaining("decided already"),
      "",
      expect.stringContaining("not what was shown"),
      expect.stringContaining("not exist"),
    ]);
    await console.decide((await console.onePending(threadId))!, { type: "reject" });
    await console.untilStatus(threadId, "done");
  });
});
