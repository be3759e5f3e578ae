/** A decision holds its effect back for a while, in which it can be taken back. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, roomyMs, withHost } from "./testing/host-fixture.ts";

/** The host's clock; a test that stands still for it says so. */
let clock = Date.now;

const { reopen } = withHost("file", () => ({ now: () => clock() }));

const ran = (file: string) => existsSync(join(folders.workspace, file));

async function undo({ id }: Approval) {
  return (await console.client.call("approvals.undo", { ids: [id] })).outcomes[0];
}

describe("an approval's grace", () => {
  const long = 10_000;

  it("holds the effect back, and taking it back makes it wait again", async () => {
    const threadId = await console.start("run touch taken-back");
    const asked = await console.onePending(threadId);
    await console.approve(asked, long);
    expect(await undo(asked)).toMatchObject({
      ok: true,
      approval: { status: "pending", digest: asked.digest },
    });
    const again = await console.onePending(threadId);
    expect(again.decision).toBeUndefined();
    expect([ran("taken-back"), (await console.ledger(threadId)).length]).toEqual([false, 0]);
    await console.approve(again);
    await console.untilStatus(threadId, "done");
    expect(ran("taken-back")).toBe(true);
    expect(await undo(again)).toMatchObject({ ok: false, approval: { status: "decided" } });
  });

  it("starts the effect by itself when it is over", async () => {
    const threadId = await console.start("run touch after-grace");
    await console.approve(await console.onePending(threadId), 150);
    await console.untilStatus(threadId, "done");
    expect(ran("after-grace")).toBe(true);
  });

  it("outlives a restart: the effect waits for its end, and can still be taken back", async () => {
    const threadId = await console.start("run touch after-restart");
    const asked = await console.onePending(threadId);
    // However long the restart takes here, the grace is not over.
    const still = Date.now();
    clock = () => still;
    onTestFinished(() => {
      clock = Date.now;
    });
    await console.approve(asked, long);
    await reopen();
    await console.untilStatus(threadId, "running");
    expect(await undo(asked)).toMatchObject({ ok: true });
    const again = await console.onePending(threadId);
    expect(ran("after-restart")).toBe(false);
    clock = Date.now;
    await console.approve(again, 200);
    await reopen();
    await console.untilStatus(threadId, "done");
    expect(ran("after-restart")).toBe(true);
  });

  it("ends with a stop: the thread stays stopped, the effect never happens, and going on asks again", async () => {
    const threadId = await console.start("run touch stopped-in-grace");
    const asked = await console.onePending(threadId);
    await console.approve(asked, roomyMs);
    await console.stop(threadId);
    // Another thread's whole grace passes meanwhile, so the stopped one had its time too.
    const other = await console.start("run touch other-grace");
    await console.approve(await console.onePending(other), roomyMs + 100);
    await console.untilStatus(other, "done");
    expect(console.threads.get(threadId)?.status).toBe("stopped");
    expect(ran("stopped-in-grace")).toBe(false);
    await console.client.call("threads.resume", { commandId: newCommandId(), threadId });
    const again = await console.onePending(threadId);
    expect(again.id).not.toBe(asked.id);
    await console.decide(again, { type: "reject" });
    await console.untilStatus(threadId, "done");
  });

  it("that a stop cut short does not keep the thread busy with its next question", async () => {
    const threadId = await console.start("run touch never");
    await console.approve(await console.onePending(threadId), roomyMs);
    await console.stop(threadId);
    await console.send(threadId, "ask Shall I?");
    await console.decide(await console.onePending(threadId), { type: "respond", answer: "yes" });
    await console.untilStatus(threadId, "done");
    expect(ran("never")).toBe(false);
  });
});

describe("a snoozed approval", () => {
  it("keeps waiting, and can be decided all the same", async () => {
    const threadId = await console.start("run touch snoozed");
    const asked = await console.onePending(threadId);
    const until = Date.now() + 3_600_000;
    await console.client.call("approvals.snooze", { id: asked.id, until });
    await console.until(() => console.approvals.get(asked.id)?.snoozedUntil === until, "the snooze is shown");
    expect(await console.approve(asked)).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
  });
});
