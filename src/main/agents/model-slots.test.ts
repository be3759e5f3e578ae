import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { createModelSlots, type ModelSlots } from "./model-slots.ts";

const thread = (name: number | string) => `thread-${name}` as ThreadId;

type Call = { threadId: ThreadId; arrived: number; stop: AbortController; leave?: () => void };

/** Slots under a limit that can change, and every call there was, as the one who calls sees it. */
class Stage {
  limit: number;
  readonly waiting: Call[] = [];
  readonly running: Call[] = [];
  /** Calls in the order they were let in, since the last look. */
  admitted: Call[] = [];
  readonly aborted = new Set<Call>();
  readonly slots: ModelSlots;
  #arrivals = 0;

  constructor(limit: number) {
    this.limit = limit;
    this.slots = createModelSlots(
      () => this.limit,
      () => undefined,
    );
  }

  async call(threadId: ThreadId): Promise<Call> {
    const call: Call = { threadId, arrived: this.#arrivals++, stop: new AbortController() };
    this.waiting.push(call);
    void this.slots.acquire(threadId, call.stop.signal).then(
      (leave) => {
        call.leave = leave;
        this.waiting.splice(this.waiting.indexOf(call), 1);
        this.running.push(call);
        this.admitted.push(call);
      },
      () => {
        this.waiting.splice(this.waiting.indexOf(call), 1);
        this.aborted.add(call);
      },
    );
    await settle();
    return call;
  }

  async leave(call: Call): Promise<void> {
    this.running.splice(this.running.indexOf(call), 1);
    call.leave?.();
    await settle();
  }

  async abort(call: Call): Promise<void> {
    call.stop.abort(new Error("stopped"));
    await settle();
  }

  async setLimit(limit: number): Promise<void> {
    this.limit = limit;
    this.slots.limitChanged();
    await settle();
  }

  load(threadId: ThreadId): number {
    return this.running.filter((call) => call.threadId === threadId).length;
  }
}

/** Lets the promises of admitted and aborted calls be heard. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

type Step =
  | { kind: "call"; thread: number }
  | { kind: "leave" | "abort"; which: number }
  | { kind: "limit"; limit: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.nat(4).map((n) => ({ kind: "call" as const, thread: n })) },
  { weight: 4, arbitrary: fc.nat(20).map((which) => ({ kind: "leave" as const, which })) },
  { weight: 2, arbitrary: fc.nat(20).map((which) => ({ kind: "abort" as const, which })) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 5 }).map((limit) => ({ kind: "limit" as const, limit })),
  },
);

const pick = (from: Call[], which: number) => from[which % Math.max(from.length, 1)];

async function take(stage: Stage, one: Step): Promise<void> {
  if (one.kind === "call") await stage.call(thread(one.thread));
  else if (one.kind === "limit") await stage.setLimit(one.limit);
  else {
    const call = pick(one.kind === "leave" ? stage.running : stage.waiting, one.which);
    if (call) await stage[one.kind](call);
  }
}

/** Whoever was let in had the fewest running of all who stood in line, and had stood there longest among those. */
function expectFair(stage: Stage, lineBefore: readonly Call[], loadBefore: ReadonlyMap<Call, number>): void {
  const line = [...lineBefore];
  const load = new Map(line.map((call) => [call.threadId, loadBefore.get(call) ?? 0]));
  for (const call of stage.admitted.filter((one) => lineBefore.includes(one))) {
    const fewest = Math.min(...line.map((one) => load.get(one.threadId)!));
    const first = line.find((one) => load.get(one.threadId) === fewest);
    expect(call.arrived).toBe(first?.arrived);
    line.splice(line.indexOf(call), 1);
    load.set(call.threadId, load.get(call.threadId)! + 1);
  }
}

describe("model slots under any order of calls, ends, stops and changed limits", () => {
  it("never exceed the cap, leave no slot idle, let in whoever has fewest running, and serve everyone", async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { minLength: 5, maxLength: 60 }),
      async (limit, steps) => {
        const stage = new Stage(limit);
        for (const one of steps) {
          const running = stage.running.length;
          const leaving = one.kind === "leave" ? pick(stage.running, one.which) : undefined;
          const line = [...stage.waiting];
          const loads = new Map(
            line.map((call) => [
              call,
              stage.load(call.threadId) - (leaving?.threadId === call.threadId ? 1 : 0),
            ]),
          );
          stage.admitted = [];
          await take(stage, one);
          if (stage.admitted.length > 0) expect(stage.running.length).toBeLessThanOrEqual(stage.limit);
          expect(stage.running.length).toBeLessThanOrEqual(Math.max(stage.limit, running));
          if (stage.waiting.length > 0) expect(stage.running.length).toBeGreaterThanOrEqual(stage.limit);
          expect(stage.slots.waiting()).toEqual(new Set(stage.waiting.map((call) => call.threadId)));
          expectFair(stage, line, loads);
        }
        while (stage.running.length > 0) await stage.leave(stage.running[0]!);
        expect([stage.waiting, stage.slots.waiting().size]).toEqual([[], 0]);
      },
    );
    await fc.assert(property, { numRuns: runsOf(60) });
  });
});

describe("model slots", () => {
  it("let a thread with nothing running pass one that has many, and among equals the one that came first", async () => {
    const stage = new Stage(2);
    const [first] = [await stage.call(thread("busy")), await stage.call(thread("busy"))];
    const third = await stage.call(thread("busy"));
    const early = await stage.call(thread("early"));
    const late = await stage.call(thread("late"));
    await stage.leave(first!);
    await stage.leave(early);
    expect([early, late, third].map((call) => call.leave !== undefined)).toEqual([true, true, false]);
  });

  it("do not starve a busy thread's next call when new threads keep coming", async () => {
    const stage = new Stage(1);
    const running = await stage.call(thread("busy"));
    const next = await stage.call(thread("busy"));
    const newcomers = [await stage.call(thread(1)), await stage.call(thread(2))];
    await stage.leave(running);
    expect(next.leave).toBeDefined();
    expect(newcomers.map((call) => call.leave)).toEqual([undefined, undefined]);
  });

  it("use a raised limit at once, and a lowered one as soon as enough have ended", async () => {
    const stage = new Stage(1);
    const calls = [];
    for (let i = 0; i < 4; i += 1) calls.push(await stage.call(thread(i)));
    await stage.setLimit(3);
    expect(stage.running).toHaveLength(3);
    await stage.setLimit(1);
    await stage.leave(calls[0]!);
    await stage.leave(calls[1]!);
    expect([stage.running.length, stage.waiting.length]).toEqual([1, 1]);
    await stage.leave(calls[2]!);
    expect(stage.running).toEqual([calls[3]]);
  });

  it("are out of line with a stop, also of the call whose turn comes in the same moment", async () => {
    const stage = new Stage(1);
    const running = await stage.call(thread(1));
    const stopped = await stage.call(thread(2));
    const next = await stage.call(thread(3));
    stopped.stop.abort();
    await stage.leave(running);
    expect([stage.aborted.has(stopped), stage.running]).toEqual([true, [next]]);
    const late = stage.slots.acquire(thread(4), AbortSignal.abort(new Error("stopped before")));
    await expect(late).rejects.toThrow("stopped before");
    expect(stage.slots.waiting().size).toBe(0);
  });

  it("are given back once, however often a call says so", async () => {
    const stage = new Stage(1);
    const running = await stage.call(thread(1));
    await stage.call(thread(2));
    await stage.call(thread(3));
    await stage.leave(running);
    running.leave?.();
    await settle();
    expect([stage.running.length, stage.waiting.length]).toEqual([1, 1]);
  });
});

describe("calls without an end", () => {
  it("give their places to whoever waits once they took long, and no more places than there are", async () => {
    vi.useFakeTimers();
    try {
      const slots = createModelSlots(
        () => 2,
        () => undefined,
        1_000,
      );
      const { signal } = new AbortController();
      const entered: number[] = [];
      const leave: (() => void)[] = [];
      const call = (name: number) =>
        void slots.acquire(thread(name), signal).then((left) => {
          entered.push(name);
          leave[name] = left;
        });
      for (const name of [1, 2, 3]) call(name);
      await vi.advanceTimersByTimeAsync(999);
      expect(entered).toEqual([1, 2]);
      await vi.advanceTimersByTimeAsync(1);
      expect(entered).toEqual([1, 2, 3]);
      for (const name of [4, 5, 6]) call(name);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(entered).toEqual([1, 2, 3, 4]);
      leave[1]!();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(entered).toEqual([1, 2, 3, 4, 5]);
      leave[3]!();
      await vi.advanceTimersByTimeAsync(0);
      expect(entered).toEqual([1, 2, 3, 4, 5, 6]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("lend as many places as there are, to whoever waits and at once, in any order of calls, ends and time", async () => {
    vi.useFakeTimers();
    try {
      const patienceMs = 1_000;
      const kinds = fc.array(fc.constantFrom("call", "leave", "time"), { minLength: 10, maxLength: 50 });
      const property = fc.asyncProperty(fc.integer({ min: 1, max: 3 }), kinds, async (limit, steps) => {
        const slots = createModelSlots(
          () => limit,
          () => undefined,
          patienceMs,
        );
        const running: { since: number; leave: () => void }[] = [];
        for (const [at, one] of steps.entries()) {
          if (one === "call") {
            const asked = slots.acquire(thread(at), new AbortController().signal);
            void asked.then((leave) => running.push({ since: Date.now(), leave }));
          }
          if (one === "leave") running.shift()?.leave();
          await vi.advanceTimersByTimeAsync(one === "time" ? 300 : 0);
          const young = running.filter(({ since }) => Date.now() - since < patienceMs).length;
          expect(young).toBeLessThanOrEqual(limit);
          expect(running.length).toBeLessThanOrEqual(2 * limit);
          if (slots.waiting().size > 0) expect(running.length === 2 * limit || young === limit).toBe(true);
        }
      });
      await fc.assert(property, { numRuns: runsOf(60) });
    } finally {
      vi.useRealTimers();
    }
  });
});
