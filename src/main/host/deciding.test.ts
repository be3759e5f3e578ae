import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Approval, LedgerEntry, ShownApproval } from "../../shared/contract/approvals.ts";
import type { Sight } from "../../shared/contract/decisions.ts";
import {
  type Folders,
  newCommandId,
  type RunningHost,
  roomyMs,
  TestConsole,
  withHost,
} from "./testing/host-fixture.ts";

let folders: Folders;
let running: RunningHost;
let console: TestConsole;

/** The host's clock; a test that stands still for it says so. */
let clock = Date.now;

const { reopen } = withHost(
  "file",
  (opened) => {
    ({ folders, running, console } = opened);
  },
  () => ({ now: () => clock() }),
);

const ran = (file: string) => existsSync(join(folders.workspace, file));

async function undo({ id }: Approval) {
  return (await console.client.call("approvals.undo", { ids: [id] })).outcomes[0];
}

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

  it("say of each what became of it: decided, decided before, changed, gone", async () => {
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
      expect.stringContaining("changed since"),
      expect.stringContaining("not exist"),
    ]);
    await console.decide((await console.onePending(threadId))!, { type: "reject" });
    await console.untilStatus(threadId, "done");
  });
});

describe("the ledger", () => {
  it("is found by what stands in a line, and exported whole, one line of JSON each", async () => {
    const threadId = await console.start("run echo lighthouse > lamp.txt");
    await console.approve(await console.onePending(threadId));
    await console.untilStatus(threadId, "done");
    const find = async (query: string) =>
      (await console.client.call("approvals.ledger", { threadId, query, limit: 10 })).entries.length;
    expect([await find("LIGHTHOUSE"), await find(folders.workspace), await find("windmill")]).toEqual([
      1, 1, 0,
    ]);
    const { path } = await console.client.call("approvals.exportLedger", {});
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength((await console.ledger()).length);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({
      threadId,
      tool: "execute",
      originalArgs: { command: "echo lighthouse > lamp.txt" },
      cwd: folders.workspace,
      by: { kind: "person" },
      receipt: { exitCode: 0 },
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("says what a person had on the screen, is found by it, and knows that who said nothing did not see all", async () => {
    const threadId = await console.start(
      "run touch seen\nrun touch glanced\nrun touch unsaid\nrun touch listed-1\nrun touch listed-2",
    );
    const asked = await console.untilPending(threadId, 5);
    const byFile = new Map(
      asked.map((one) => [one.subject.kind === "command" && one.subject.command.slice(6), one]),
    );
    const decide = (type: "approve" | "reject", items: Record<string, Sight | undefined>) =>
      console.client.call("approvals.decide", {
        commandId: newCommandId(),
        items: Object.entries(items).map(([file, seen]) => {
          const { id, digest } = byFile.get(file)!;
          return { id, digest, seen };
        }),
        decision: { type },
      });
    await decide("approve", { seen: { inFull: true, ms: 4_200 } });
    await decide("reject", { glanced: { inFull: false, ms: 300 } });
    await decide("reject", { unsaid: undefined });
    await decide("approve", {
      "listed-1": { inFull: true, ms: 900 },
      "listed-2": { inFull: false, ms: 900 },
    });
    await console.untilRest(threadId);
    await console.client.call("rules.add", {
      text: "touch ruled",
      effect: "allow",
      scope: "user",
      target: "command",
    });
    const ruled = await console.start("run touch ruled");
    await console.untilRest(ruled);

    const seenOf = (lines: LedgerEntry[]) =>
      Object.fromEntries(lines.map((line) => [String(line.originalArgs.command).slice(6), line.seen]));
    expect(seenOf([...(await console.ledger(threadId)), ...(await console.ledger(ruled))])).toEqual({
      seen: { inFull: true, ms: 4_200 },
      glanced: { inFull: false, ms: 300 },
      unsaid: { inFull: false, ms: 0 },
      "listed-1": { inFull: true, ms: 900, among: 2 },
      "listed-2": { inFull: false, ms: 900, among: 2 },
      ruled: undefined,
    });
    const found = async (seen: "inFull" | "notInFull") =>
      (await console.client.call("approvals.ledger", { seen, limit: 200 })).entries;
    const [inFull, notInFull] = [await found("inFull"), await found("notInFull")];
    expect(Object.keys(seenOf(inFull)).sort()).toEqual(["listed-1", "seen"]);
    expect(notInFull.map(({ by }) => by.kind)).not.toContain("rule");
    expect(Object.keys(seenOf(notInFull))).toEqual(expect.arrayContaining(["glanced", "unsaid", "listed-2"]));
    const { path } = await console.client.call("approvals.exportLedger", {});
    const exported = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(seenOf(exported.map((line) => JSON.parse(line)))).toMatchObject({
      seen: { inFull: true, ms: 4_200 },
    });
  });

  it("keeps nothing of a decision that was taken back", async () => {
    const threadId = await console.start("run touch looked-at-twice");
    const asked = await console.onePending(threadId);
    const decide = (item: ShownApproval, graceMs: number) =>
      console.client.call("approvals.decide", {
        commandId: newCommandId(),
        items: [item],
        decision: { type: "approve" },
        graceMs,
      });
    await decide({ id: asked.id, digest: asked.digest, seen: { inFull: true, ms: 5_000 } }, 10_000);
    await undo(asked);
    const { id, digest } = await console.onePending(threadId);
    await decide({ id, digest }, 0);
    await console.untilRest(threadId);
    expect(await console.ledger(threadId)).toMatchObject([{ seen: { inFull: false, ms: 0 } }]);
  });
});

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
