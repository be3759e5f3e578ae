/** The auto-approve switch: what it lets pass, what it spends, and how it ends. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Input } from "../../shared/contract/contract.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { console, folders } from "./testing/host-fixture.ts";
import { withLaterHost } from "./testing/later-host.ts";

const { reopen, pass } = withLaterHost();

const ran = (file: string) => existsSync(join(folders.workspace, file));

function autoApprove(threadId: ThreadId, more: Partial<Input<"threads.setAutoApprove">> = {}) {
  return console.client.call("threads.setAutoApprove", { threadId, on: true, ...more });
}

function preview(threadId: ThreadId, maxActions?: number) {
  return console.client.call("threads.previewAutoApprove", { threadId, maxActions });
}

async function receiptOf(threadId: ThreadId) {
  return (await console.notices(threadId)).find(({ text }) => text.startsWith("Auto-approve is off"));
}

/** What passed a call: the kinds of who decided, oldest first. */
async function decidedBy(threadId: ThreadId): Promise<string[]> {
  return (await console.ledger(threadId)).map(({ by }) => by.kind);
}

describe("the auto-approve switch", () => {
  it("is off at first, lets pass what it was turned on for, and is off after a restart", async () => {
    const threadId = await console.start();
    expect(console.threads.get(threadId)?.autoApprove ?? null).toBeNull();
    await autoApprove(threadId);
    await console.run(threadId, "run touch auto-1");
    expect([ran("auto-1"), await decidedBy(threadId)]).toEqual([true, ["auto-approve"]]);
    await reopen();
    await console.until(() => console.threads.has(threadId), "the thread is listed");
    expect(console.threads.get(threadId)?.autoApprove).toBeNull();
    await console.send(threadId, "run touch auto-2");
    await console.approve(await console.onePending(threadId));
    await console.untilStatus(threadId, "done");
    expect(await decidedBy(threadId)).toEqual(["auto-approve", "person"]);
  });

  it("never passes what always asks, and a denied call turns it off with a receipt", async () => {
    const threadId = await console.start();
    await autoApprove(threadId);
    await console.send(threadId, "run sudo true");
    const asked = await console.onePending(threadId);
    const { id, digest } = asked;
    expect(await preview(threadId)).toEqual({ passes: [], stays: [{ id, why: expect.any(String) }] });
    // Even a window that asks for it all the same does not get it.
    expect(await autoApprove(threadId, { approve: [{ id, digest }] })).toMatchObject({
      approved: [],
      left: [{ id }],
    });
    await console.decide(asked, { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect(console.threads.get(threadId)?.autoApprove).not.toBeNull();
    await console.run(threadId, "run rm -rf /");
    await console.until(() => console.threads.get(threadId)?.autoApprove === null, "the switch is off");
    expect((await receiptOf(threadId))?.text).toMatch(/turned it on anew/);
    expect((await console.notices(threadId)).at(-1)?.text).toMatch(/policy denied.*0 actions/);
    expect(await decidedBy(threadId)).toEqual(["person", "policy"]);
  });

  it("spends its budget and no more, on what waits already too, each with a recorded decision", async () => {
    const threadId = await console.start("run touch w1\nrun touch w2\nrun touch w3");
    const waiting = await console.untilPending(threadId, 3);
    const { passes, stays } = await preview(threadId, 2);
    expect([passes.length, stays.length]).toEqual([2, 1]);
    const { approved } = await autoApprove(threadId, { maxActions: 2, approve: passes });
    expect([...approved].sort()).toEqual(passes.map(({ id }) => id).sort());
    const [left] = await console.untilPending(threadId, 1);
    expect(waiting.map(({ id }) => id).sort()).toEqual([...approved, left!.id].sort());
    for (const id of approved)
      expect(console.approvals.get(id)).toMatchObject({
        status: "decided",
        decidedBy: { kind: "auto-approve" },
      });
    expect((await receiptOf(threadId))?.approvals?.sort()).toEqual([...approved].sort());
    await console.decide(left!, { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect((await decidedBy(threadId)).sort()).toEqual(["auto-approve", "auto-approve", "person"]);
  });

  it("approves what was confirmed and nothing that came, changed or went meanwhile", async () => {
    await writeFile(join(folders.workspace, "seen.txt"), "one");
    const threadId = await console.start("run touch shown\nedit seen.txt one => two");
    await console.untilPending(threadId, 2);
    const { passes } = await preview(threadId);
    expect(passes).toHaveLength(2);
    const other = await console.start("run touch foreign");
    const foreign = await console.onePending(other);
    await writeFile(join(folders.workspace, "seen.txt"), "one and more");
    const { approved, left } = await autoApprove(threadId, {
      approve: [...passes, { id: foreign.id, digest: foreign.digest }],
    });
    const waits = await console.onePending(threadId);
    expect(waits.subject).toMatchObject({ kind: "file", path: "seen.txt" });
    expect(approved).toEqual(passes.map(({ id }) => id).filter((id) => id !== waits.id));
    expect(left).toEqual([
      { id: waits.id, why: expect.stringContaining("changed since this was shown") },
      { id: foreign.id, why: expect.stringContaining("another thread") },
    ]);
    expect(await console.onePending(other)).toMatchObject({ id: foreign.id });
    await console.stop(other);
    await console.decide(waits, { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect((await decidedBy(threadId)).sort()).toEqual(["auto-approve", "person"]);
  });

  it("ends with a receipt that names each call it let pass, and the ledger answers for them", async () => {
    const threadId = await console.start("run touch first-waits");
    await console.onePending(threadId);
    const { passes } = await preview(threadId);
    await autoApprove(threadId, { approve: passes });
    await console.untilStatus(threadId, "done");
    await console.run(threadId, "run touch passes-1\nrun ls\nrun touch passes-2");
    await console.client.call("threads.setAutoApprove", { threadId, on: false });
    const receipt = await receiptOf(threadId);
    expect(receipt?.text).toMatch(/3 actions/);
    const calls = await console.toolCalls(threadId);
    const passed = calls.filter(({ args }) => String(args.command).startsWith("touch"));
    expect([...(receipt?.items ?? [])].sort()).toEqual(passed.map(({ id }) => id).sort());
    const itemIds = receipt?.items ?? [];
    const { entries } = await console.client.call("approvals.ledgerOfCalls", { threadId, itemIds });
    expect(entries.map(({ itemId, by }) => [itemId, by.kind]).sort()).toEqual(
      [...itemIds].sort().map((id) => [id, "auto-approve"]),
    );
    expect(entries.every(({ receipt: done }) => done?.exitCode === 0)).toBe(true);
    const places = new Map(calls.map(({ id, position }) => [id, position]));
    for (const { itemId, position } of entries) expect(position).toBe(places.get(itemId ?? ""));
  });

  it("spends no more than its budget when many calls are judged at once", async () => {
    const threadId = await console.start();
    await autoApprove(threadId, { maxActions: 3 });
    await console.send(threadId, Array.from({ length: 8 }, (_, i) => `run touch many-${i}`).join("\n"));
    for (const asked of await console.untilPending(threadId, 5))
      await console.decide(asked, { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect((await decidedBy(threadId)).filter((kind) => kind === "auto-approve")).toHaveLength(3);
  });

  it("ends with its time", async () => {
    const threadId = await console.start();
    await autoApprove(threadId, { minutes: 5 });
    pass(5 * 60_000);
    await console.send(threadId, "run touch too-late");
    await console.decide(await console.onePending(threadId), { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect((await receiptOf(threadId))?.text).toMatch(/time was over/);
  });
});
