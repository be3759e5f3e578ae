import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, running, TestConsole, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("file");

const ran = (file: string) => existsSync(join(folders.workspace, file));

describe("a decision", () => {
  it("counts once: of many at the same time from two windows one wins, and the others see what it was", async () => {
    const threadId = await console.start("run echo x >> once");
    const asked = await console.onePending(threadId);
    const other = new TestConsole(running.host, folders.workspace);
    const outcomes = await Promise.all(
      [console, other, console, other].map((window, i) =>
        i % 2 === 0 ? window.approve(asked) : window.decide(asked, { type: "reject" }),
      ),
    );
    other.leave();
    const won = outcomes.filter((outcome) => outcome.ok);
    expect(won).toHaveLength(1);
    for (const outcome of outcomes) {
      expect(outcome.approval).toMatchObject({ id: asked.id, status: "decided" });
      expect(outcome.approval?.decision).toEqual(won[0]?.approval?.decision);
    }
    await console.untilRest(threadId);
    expect(await console.ledger(threadId)).toHaveLength(1);
    expect(await console.approve(asked)).toMatchObject({ ok: false, approval: { status: "decided" } });
  });

  it("is asked for as it was judged, after a start too, although a rule would let the call pass by now", async () => {
    const threadId = await console.start("run touch judged-once");
    const asked = await console.onePending(threadId);
    const rule = { text: "touch judged-once", effect: "allow", scope: "user", target: "command" } as const;
    await console.client.call("rules.add", rule);
    await reopen();
    const still = await console.onePending(threadId);
    expect([still.id, still.digest, still.verdict]).toEqual([asked.id, asked.digest, asked.verdict]);
    expect(ran("judged-once")).toBe(false);
    await console.decide(still, { type: "reject" });
    expect((await console.untilRest(threadId)).status).toBe("done");
    expect(ran("judged-once")).toBe(false);
  });

  it("is asked for with what the agent wrote before the call, after a start too", async () => {
    const threadId = await console.start(
      "say I clear the old build first.\nrun rm -rf build\n\nrun touch silent",
    );
    const asked = await console.onePending(threadId);
    expect(asked.said).toEqual({ text: "I clear the old build first." });
    await reopen();
    const still = await console.onePending(threadId);
    expect([still.said, still.digest]).toEqual([asked.said, asked.digest]);
    await console.decide(still, { type: "reject" });
    expect((await console.onePending(threadId)).said).toBeUndefined();
  });

  it("is told what it would reach as the disk is when the card is looked at, and nothing runs for it", async () => {
    const threadId = await console.start("run rm -rf leavings && make all");
    const { id } = await console.onePending(threadId);
    const reach = () => console.client.call("approvals.reach", { id });
    const make = { unknown: ["make"], unknownAll: false };
    expect(await reach()).toEqual({ facts: [], ...make });
    await mkdir(join(folders.workspace, "leavings"));
    await writeFile(join(folders.workspace, "leavings", "残り.txt"), "kept by nobody");
    expect(await reach()).toEqual({ facts: [{ kind: "deletes", kept: 0, lost: 1, more: false }], ...make });
    expect(ran("leavings")).toBe(true);
    await console.decide(await console.onePending(threadId), { type: "reject" });
  });

  it("is asked for in the order of the calls of a message, whichever of them is judged first", async () => {
    const calls = [
      "write a.md one",
      "run make b",
      "write c.md two",
      "run make d",
      "write e.md three",
      "run make f",
    ];
    const threadId = await console.start(calls.join("\n"));
    const asked = await console.untilPending(threadId, calls.length);
    const told = asked.map(({ subject }) =>
      subject.kind === "file" ? subject.path : subject.kind === "command" && subject.command,
    );
    expect(told).toEqual(["a.md", "make b", "c.md", "make d", "e.md", "make f"]);
    // Where all were announced in the same moment their ids alone say so.
    const ids = asked.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
  });

  it("is refused when it was made about something else than what waits, or is not allowed here", async () => {
    const threadId = await console.start("ask Which colour?");
    const asked = await console.onePending(threadId);
    expect(asked.allowedDecisions).toEqual(["respond"]);
    expect(await console.approve(asked)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("respond"),
    });
    const forged = { id: asked.id, digest: "0".repeat(64) };
    expect(await console.decide(forged, { type: "respond", answer: "red" })).toMatchObject({
      ok: false,
      approval: { status: "pending", digest: asked.digest },
    });
    expect(await console.decide(asked, { type: "respond", answer: "green" })).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
    expect(await console.lastWords(threadId)).toContain("green");
  });

  it("can edit the arguments: checked against the tool's schema, judged again, and run as edited", async () => {
    const threadId = await console.start("run touch not-this");
    const asked = await console.onePending(threadId);
    const edit = (args: Record<string, unknown>) => console.decide(asked, { type: "edit", args });
    expect(await edit({ command: 3 })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("command"),
    });
    expect(await edit({ command: "touch but-this" })).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
    expect([ran("not-this"), ran("but-this")]).toEqual([false, true]);
    expect(await console.ledger(threadId)).toMatchObject([
      {
        originalArgs: { command: "touch not-this" },
        finalArgs: { command: "touch but-this" },
        by: { kind: "person" },
      },
    ]);
  });

  it("approves what is too long for the list only once it was asked for whole", async () => {
    const threadId = await console.start(`run touch long-${"x".repeat(100)} # ${"天".repeat(30_000)}`);
    const listed = await console.onePending(threadId);
    expect(listed).toMatchObject({ leftOut: expect.any(Number) });
    expect(await console.approve(listed)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("Only a part"),
    });
    const { approval } = await console.client.call("approvals.get", { id: listed.id });
    expect(approval.leftOut).toBeUndefined();
    expect(approval.subject).toMatchObject({ command: expect.stringContaining("天".repeat(30_000)) });
    expect(await console.approve(approval)).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
    expect(ran(`long-${"x".repeat(100)}`)).toBe(true);
  });

  it("that is sent again with the same command id gets the first answer, and acts once", async () => {
    const threadId = await console.start("run echo again >> again");
    const { id, digest } = await console.onePending(threadId);
    const command = {
      commandId: newCommandId(),
      items: [{ id, digest }],
      decision: { type: "approve" as const },
    };
    const send = async (input = command) => (await console.client.call("approvals.decide", input)).outcomes;
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers).toMatchObject([[{ ok: true }], [{ ok: true }], [{ ok: true }]]);
    const late = { ...command, commandId: newCommandId() };
    expect(await send(late)).toMatchObject([{ ok: false, reason: expect.stringContaining("already") }]);
    expect(await send(late)).toMatchObject([{ ok: false }]);
    await console.untilStatus(threadId, "done");
    expect(await readFile(join(folders.workspace, "again"), "utf8")).toBe("again\n");
  });

  it("rejects what was not shown whole", async () => {
    const threadId = await console.start(`run touch refused-unseen # ${"天".repeat(30_000)}`);
    expect(await console.decide(await console.onePending(threadId), { type: "reject" })).toMatchObject({
      ok: true,
    });
    await console.untilStatus(threadId, "done");
    expect(ran("refused-unseen")).toBe(false);
  });

  it("cannot edit a call into one that is never allowed", async () => {
    const threadId = await console.start("run touch harmless");
    const asked = await console.onePending(threadId);
    await console.decide(asked, { type: "edit", args: { command: "touch gone; rm -rf /" } });
    await console.untilStatus(threadId, "done");
    expect(ran("gone")).toBe(false);
    expect(await console.toolCalls(threadId)).toMatchObject([
      { outcome: "denied", result: expect.stringContaining("never allowed") },
    ]);
    expect((await console.ledger(threadId)).map((line) => line.executionId)).toEqual([undefined]);
  });

  it("is heard by the model: a rejection with its words, an answer as the tool's result", async () => {
    const threadId = await console.start("run touch refused\nrun touch answered");
    const [first, second] = (await console.untilPending(threadId, 2)).sort((a, b) =>
      JSON.stringify(a.subject) < JSON.stringify(b.subject) ? 1 : -1,
    );
    await console.decide(first!, { type: "reject", message: "use the other folder" });
    await console.decide(second!, { type: "respond", answer: "it is there already" });
    await console.untilStatus(threadId, "done");
    expect(await console.lastWords(threadId)).toContain("use the other folder");
    const calls = await console.toolCalls(threadId);
    expect(calls.map(({ outcome, result }) => [outcome, result]).sort()).toEqual([
      ["answered", "it is there already"],
      ["rejected", "The person rejected this call and says: use the other folder"],
    ]);
    expect([ran("refused"), ran("answered")]).toEqual([false, false]);
  });

  it("in bulk never reaches what is of high risk", async () => {
    const threadId = await console.start("run touch bulk-1\nrun touch bulk-2\nrun sudo true");
    const waiting = await console.untilPending(threadId, 3);
    const { outcomes } = await console.client.call("approvals.decide", {
      commandId: newCommandId(),
      items: waiting.map(({ id, digest }) => ({ id, digest })),
      decision: { type: "approve" },
    });
    expect(outcomes.map((outcome, i) => [waiting[i]?.risk === "high", outcome.ok]).sort()).toEqual([
      [false, true],
      [false, true],
      [true, false],
    ]);
    await console.untilPending(threadId, 1);
    await console.stop(threadId);
  });
});
