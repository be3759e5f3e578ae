/** The desk over a real engine and stores; whoever asks is a stream here, as behind the door. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ApprovalId } from "../../../shared/ids.ts";
import { SourceHost } from "../../engine/testing/source-host.ts";
import type { TerminalRequest } from "./hook-words.ts";
import { createTerminalDesk, mostAsking, mostAtOnce, type TerminalDesk } from "./terminal-desk.ts";

let host: SourceHost;
let desk: TerminalDesk;
const request: TerminalRequest = {
  about: "permission",
  agent: "claude-code",
  session: "s",
  cwd: "/work",
  tool: "Bash",
  args: { command: "rm -rf build" },
};
const person = { kind: "person" as const };

beforeEach(async () => {
  host = new SourceHost();
  await host.open();
  desk = createTerminalDesk(host.engine.journal, host.changes);
});
afterEach(async () => {
  await host.close();
  host.remove();
});

async function ask(change: Partial<TerminalRequest> = {}) {
  const leaving = new AbortController();
  const items = desk.ask({ ...request, ...change }, leaving.signal);
  const asked = await items.next();
  if (asked.done || asked.value.kind !== "asked") throw new Error("It was not asked.");
  const id = asked.value.approvalId;
  const leave = async () => {
    leaving.abort();
    await items.return?.().catch(() => undefined);
  };
  return { id, items, leave };
}

const row = (id: ApprovalId) => host.stores.approvals.get(id)!;
const ledger = (id: ApprovalId) => host.stores.ledger.ofThread(row(id).threadId);
const decide = (id: ApprovalId, type: "approve" | "reject" = "approve") =>
  host.engine.decisions.decide({
    items: [{ id, digest: row(id).digest }],
    decision: { type },
    graceMs: 0,
    by: person,
  });

/** A start after a kill. @returns what waits then. */
async function startAnew() {
  desk.close();
  await host.kill();
  desk = createTerminalDesk(host.engine.journal, host.changes);
  desk.recover();
  return host.stores.approvals.pending();
}

it.each([
  ["approve", "allow"],
  ["reject", "deny"],
] as const)("hands over %s once, and records it when the agent has it", async (type, behavior) => {
  const { id, items } = await ask();
  expect(row(id)).toMatchObject({ kind: "terminal", risk: "high", verdict: { verdict: "ask" } });
  const answer = items.next();
  await decide(id, type);
  expect((await answer).value).toMatchObject({ kind: "answer", approvalId: id, behavior });
  expect(ledger(id)).toEqual([]);
  const end = items.next();
  desk.took(id);
  expect((await end).done).toBe(true);
  expect(ledger(id)).toMatchObject([{ decision: { type }, by: person, tool: "Claude Code: Bash" }]);
  expect(() => desk.took(id)).toThrow("No answer was given");
});

it("takes the card of an agent that left out of the queue, so that nothing approves it", async () => {
  const { id, items, leave } = await ask();
  const waiting = items.next().catch(() => undefined);
  await leave();
  await waiting;
  expect(row(id).status).toBe("cancelled");
  expect(await decide(id)).toMatchObject([{ ok: false }]);
  expect(ledger(id)).toEqual([]);
});

it("keeps the card over every start, where it can only be put away, and then nothing of it waits", async () => {
  const { id } = await ask();
  const kept = await startAnew();
  expect(kept).toMatchObject([{ allowed: ["reject"], subject: { kind: "terminal", gone: true } }]);
  // What says so already is the same card after the next start.
  expect(await startAnew()).toEqual(kept);
  expect(await decide(kept[0]!.id)).toMatchObject([{ ok: false }]);
  expect([row(id).status, ledger(id)]).toEqual(["cancelled", []]);
  const isAway = host.until(() => row(kept[0]!.id).consumedAt !== undefined);
  await decide(kept[0]!.id, "reject");
  await isAway;
  expect(host.stores.threads.get(kept[0]!.threadId).status).toBe("done");
  expect(ledger(kept[0]!.id)).toEqual([]);
});

it("takes one card out of the queue for each call that ended, and no card of another", async () => {
  const [first, second, other] = [await ask(), await ask(), await ask({ session: "other" })];
  const ends = [first, second, other].map(({ items }) => items.next());
  desk.ended({ ...request, about: "end", args: { command: "rm -rf dist" } });
  desk.ended({ ...request, about: "end" });
  expect(await ends[0]).toMatchObject({ done: true });
  const states = () => [first, second, other].map(({ id }) => row(id).status);
  expect(states()).toEqual(["cancelled", "pending", "pending"]);
  desk.ended({ ...request, about: "end" });
  expect(await ends[1]).toMatchObject({ done: true });
  desk.ended({ ...request, about: "end" });
  expect(states()).toEqual(["cancelled", "cancelled", "pending"]);
});

it("keeps in the record what was decided and not taken before a kill, and says that nobody knows it arrived", async () => {
  const { id, items } = await ask();
  const answer = items.next();
  await decide(id);
  await answer;
  expect([await startAnew(), ledger(id).length]).toEqual([[], 1]);
  const said = host.stores.log.item(row(id).threadId, row(id).itemId);
  expect(said).toMatchObject({ result: expect.stringContaining("did not say that it got the answer") });
});

it("ends without an answer when its thread is deleted, so that its agent asks by itself", async () => {
  const { id, items } = await ask();
  const end = items.next();
  const { sources } = host.engine;
  await sources.of(host.stores.threads.get(row(id).threadId)).forget(row(id).threadId);
  expect(await end).toMatchObject({ done: true });
  expect(row(id).status).toBe("cancelled");
});

it("asks no more at once than leaves room for answers", async () => {
  for (let count = 0; count < mostAsking; count++) await ask();
  await expect(ask()).rejects.toMatchObject({ code: "unavailable" });
});

it("lets nobody fill the queue and the disk by asking and leaving, and asks again after a while", async () => {
  desk.close();
  let at = 0;
  desk = createTerminalDesk({ ...host.engine.journal, now: () => at }, host.changes);
  for (let count = 0; count < mostAtOnce; count++) await (await ask()).leave();
  const refusal = { code: "unavailable", message: expect.stringContaining("too often") };
  await expect(ask()).rejects.toMatchObject(refusal);
  expect(host.stores.approvals.pending()).toEqual([]);
  at = 1_000;
  await (await ask()).leave();
  await expect(ask()).rejects.toMatchObject(refusal);
});

it("has one end for each race between an answer here and one in the terminal", async () => {
  const ends = { here: 0, there: 0 };
  for (let turn = 0; turn < 40; turn++) {
    const { id, items, leave } = await ask({ session: `s${turn % 10}` });
    const answer = items.next().then(
      (next) => !next.done && next.value.kind === "answer",
      () => false,
    );
    const moves = [() => decide(id), leave];
    if (turn % 2) moves.reverse();
    const [one, other] = moves;
    const first = one!();
    for (let step = 0; step < turn % 7; step++) await Promise.resolve();
    await Promise.all([first, other!()]);
    const came = await answer;
    const { status, consumedAt } = row(id);
    expect([status === "cancelled", consumedAt !== undefined]).toEqual(
      status === "cancelled" ? [true, false] : [false, true],
    );
    // What left the queue was never answered.
    if (status === "cancelled") expect(came).toBe(false);
    ends[status === "cancelled" ? "there" : "here"] += 1;
  }
  expect(Math.min(ends.here, ends.there)).toBeGreaterThan(0);
});
