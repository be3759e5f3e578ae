import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Decision } from "../../shared/contract/decisions.ts";
import type { ApprovalId, TurnId } from "../../shared/ids.ts";
import { createDurableCommits } from "../storage/durable-commit.ts";
import { createOnceOnly } from "../threads/commands.ts";
import { createEventLog } from "../threads/event-log.ts";
import { addThread, openInMemory, threadId } from "../threads/testing/add-thread.ts";
import { createApprovalStore } from "./approval-store.ts";
import { toApproval } from "./approval-view.ts";
import { createDecisions } from "./decisions.ts";

const person = { kind: "person" as const };
const approve: Decision = { type: "approve" };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A queue over a real database whose clock stands, and what it woke. */
function openQueue(names: string[]) {
  let clock = 1_000;
  let reads = 0;
  const now = () => {
    reads += 1;
    return clock;
  };
  const database = openInMemory();
  const threads = addThread(database, now);
  const { commit, commitDurably } = createDurableCommits(database);
  const approvals = createApprovalStore(database, now, () => {});
  const woken: ApprovalId[] = [];
  const open = () =>
    createDecisions({
      database,
      commit,
      once: createOnceOnly(database, now, commitDurably),
      now,
      approvals,
      log: createEventLog(database, now, () => {}),
      view: (row) => toApproval(row, threads.get(row.threadId)),
      draw: async () => undefined,
      wake: ({ id }) => void woken.push(id),
    });
  const items = names.map((name) => {
    const { row } = approvals.ask({
      ...{ id: name as ApprovalId, callKey: name, kind: "tool", askedBy: "gate", threadId },
      ...{ turnId: "turn" as TurnId, itemId: name, agentPath: [], tool: "execute", args: { command: name } },
      ...{ cwd: "/work", subject: { kind: "command", command: name, cwd: "/work" }, description: undefined },
      ...{ verdict: { verdict: "new", units: [] }, risk: "medium", allowed: ["approve", "reject"] },
      ...{ argsSchema: undefined, value: undefined, interruptId: undefined, actionIndex: undefined },
      ...{ baseHash: undefined, digest: name, shape: name },
    });
    return { id: row.id, digest: row.digest };
  });
  return {
    decisions: open(),
    /** As the next start of the app does. */
    reopen: open,
    items,
    woken,
    clockReads: () => reads,
    pass(ms: number) {
      clock += ms;
    },
  };
}

it("wakes at once, and once, what is decided without grace", async () => {
  const { decisions, items, woken } = openQueue(["a", "b"]);
  await decisions.decide({ items, decision: { type: "reject" }, graceMs: 5_000, by: person });
  expect(woken).toEqual(["a", "b"]);
});

it("wakes once each what is approved, and not before the grace is over, however early its timer ends", async () => {
  const { decisions, items, woken, pass } = openQueue(["a", "b", "c"]);
  await decisions.decide({ items, decision: approve, graceMs: 20, by: person });
  // The timers end while by the clock there is grace left.
  for (const passed of [0, 12, 7]) {
    pass(passed);
    vi.runOnlyPendingTimers();
    expect(woken).toEqual([]);
  }
  pass(1);
  vi.runAllTimers();
  expect(woken).toEqual(["a", "b", "c"]);
});

it("wakes nothing for what was taken back", async () => {
  const { decisions, items, woken, pass } = openQueue(["a", "b"]);
  await decisions.decide({ items, decision: approve, graceMs: 10, by: person });
  expect(decisions.undo([items[0]!.id]).map(({ ok }) => ok)).toEqual([true]);
  pass(10);
  vi.runAllTimers();
  expect(woken).toEqual(["b"]);
});

it("wakes after a restart, once, what was decided before it, when the grace is over", async () => {
  const { decisions, reopen, items, woken, pass } = openQueue(["over", "lasts", "taken back", "asked"]);
  const decide = (at: number, graceMs: number) =>
    decisions.decide({ items: [items[at]!], decision: approve, graceMs, by: person });
  await decide(0, 10);
  await decide(1, 30);
  await decide(2, 30);
  decisions.close();
  pass(20);
  const next = reopen();
  next.keepGraces();
  expect(next.undo([items[2]!.id]).map(({ ok }) => ok)).toEqual([true]);
  vi.runOnlyPendingTimers();
  expect(woken).toEqual([]);
  pass(10);
  vi.runAllTimers();
  expect(woken).toEqual(["lasts"]);
});

it("waits out a grace that a turned clock made longer than any timer", async () => {
  const { decisions, items, woken, pass, clockReads } = openQueue(["a"]);
  await decisions.decide({ items, decision: approve, graceMs: 1e12, by: person });
  const before = clockReads();
  vi.advanceTimersByTime(600_000);
  expect([woken, clockReads() - before < 20]).toEqual([[], true]);
  pass(1e12);
  vi.runAllTimers();
  expect(woken).toEqual(["a"]);
});
