/** Where a thread stands, and in which order and at which place it is shown for it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threadStatusSchema } from "../../../shared/contract/threads.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";
import { arrangeThreads, keepPlaces, type ThreadListRow } from "./arrange-threads.ts";
import { noSeats, type Seats, seat, seatCount, withoutSeat } from "./seats.ts";
import { type Standing, standingsOf } from "./standing.ts";

const now = 1_000_000;
const ask = (id: string, threadId: string, change: Record<string, unknown> = {}) =>
  sampleApproval(id, `run ${id}`, { threadId, requestedAt: now - 1_000, ...change });
const one = (change: Record<string, unknown>, ...pending: ReturnType<typeof ask>[]) =>
  standingsOf([sampleThread("t", change)], pending, now)[0]!;

/** Threads in any state, as their ids, states and ages. */
const anyThreads = fc
  .uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 30 }),
      status: fc.constantFrom(...threadStatusSchema.options),
      unread: fc.boolean(),
      archived: fc.boolean(),
      pinned: fc.boolean(),
      updatedAt: fc.integer({ min: 0, max: 50 }),
    }),
    { selector: ({ id }) => id, maxLength: 30 },
  )
  .map((some) =>
    standingsOf(
      some.map(({ id, status, ...rest }) =>
        sampleThread(`t${id}`, { ...rest, status, waiting: status === "waiting" ? 1 : 0, createdAt: id }),
      ),
      [],
      now,
    ),
  );

describe("where a thread stands", () => {
  it("is with the person while something waits, and after it failed or was interrupted, read or not", () => {
    expect(one({ status: "waiting", waiting: 2 }, ask("a", "t"), ask("b", "t"))).toMatchObject({
      section: "needs",
      shape: "waits",
      waits: 2,
    });
    for (const unread of [true, false])
      for (const status of ["failed", "interrupted"])
        expect(one({ status, unread })).toMatchObject({ section: "needs", shape: status });
  });

  it("is not with the person while all that waits is snoozed, and is again once that is over", () => {
    const snoozed = ask("a", "t", { snoozedUntil: now + 5_000 });
    expect(one({ waiting: 1 }, snoozed)).toMatchObject({
      section: "idle",
      waits: 0,
      snoozedUntil: now + 5_000,
    });
    expect(one({ waiting: 2 }, snoozed, ask("b", "t"))).toMatchObject({ section: "needs", waits: 1 });
    const thread = sampleThread("t", { waiting: 1 });
    expect(standingsOf([thread], [snoozed], now)[0]?.section).toBe("idle");
    expect(standingsOf([thread], [snoozed], now + 5_000)[0]?.section).toBe("needs");
  });

  it("is finished only until it was read, and stopped is what the person did", () => {
    expect(one({ status: "done", unread: true }).section).toBe("finished");
    expect(one({ status: "done" }).section).toBe("idle");
    expect(one({ status: "stopped", unread: true }).section).toBe("idle");
  });

  it("is the same object as long as it is the same, so that no row is drawn for nothing", () => {
    const thread = sampleThread("t", { waiting: 1 });
    const asked = ask("a", "t");
    expect(standingsOf([thread], [asked], now)[0]).toBe(standingsOf([thread], [asked], now + 1)[0]);
  });
});

const shown = (rows: readonly ThreadListRow[]) => rows.map(({ key }) => key);

describe("the order of the list", () => {
  it("is by section, what waits longest before what failed, and pinned before both", () => {
    const threads = [
      sampleThread("done", { status: "done" }),
      sampleThread("works", { status: "running" }),
      sampleThread("failed", { status: "failed", updatedAt: 1 }),
      sampleThread("late", { waiting: 1 }),
      sampleThread("early", { waiting: 1 }),
      sampleThread("pinned", { status: "failed", pinned: true }),
      sampleThread("news", { status: "done", unread: true }),
      sampleThread("old", { status: "done", archived: true }),
    ];
    const pending = [ask("b", "early", { requestedAt: 5 }), ask("a", "late", { requestedAt: 9 })];
    const rows = arrangeThreads(standingsOf(threads, pending, now), { grouped: false, archived: false });
    expect(shown(rows)).toEqual([
      "section:needs",
      ...["pinned", "early", "late", "failed"],
      "section:working",
      "works",
      "section:finished",
      "news",
      "section:idle",
      "done",
    ]);
  });

  it("stays where it is while somebody points at it, whatever becomes of the threads", () => {
    fc.assert(
      fc.property(anyThreads, anyThreads, fc.boolean(), (before, after, grouped) => {
        const arranged = (some: readonly Standing[]) => arrangeThreads(some, { grouped, archived: false });
        const was = arranged(before);
        const sorted = arranged(after);
        const held = keepPlaces(was, sorted);
        const threadsOf = (rows: readonly ThreadListRow[]) =>
          rows.flatMap((row) => (row.kind === "thread" ? [row.standing] : []));
        // The same threads, each as it is now.
        expect(new Set(threadsOf(held))).toEqual(new Set(threadsOf(sorted)));
        // Those that were there stand in the order they had, before all that is new.
        const stayed = shown(was).filter((key) => shown(held).includes(key));
        expect(shown(held).slice(0, stayed.length)).toEqual(stayed);
      }),
      { numRuns: 200 },
    );
  });
});

const ranks = { needs: 0, working: 0, finished: 1, idle: 2 };

describe("the cells of the strip", () => {
  it("keep who works or needs the person, hold nobody twice, and leave nobody out for a thread that matters less", () => {
    fc.assert(
      fc.property(fc.array(anyThreads, { minLength: 1, maxLength: 6 }), (history) => {
        let seats: Seats = noSeats;
        for (const standings of history) {
          const before = seats;
          seats = seat(before, standings);
          expect(seats).toHaveLength(seatCount);
          const known = new Map(standings.map((standing) => [standing.thread.id as string, standing]));
          const seated = seats.filter((id) => id !== undefined);
          expect(new Set(seated).size).toBe(seated.length);
          for (const [at, id] of before.entries()) {
            const standing = id && known.get(id);
            if (standing && !standing.thread.archived && ranks[standing.section] === 0)
              expect(seats[at]).toBe(id);
          }
          const least = Math.max(
            ...seats.map((id) => (id === undefined ? 3 : ranks[known.get(id)?.section ?? "idle"])),
          );
          for (const left of withoutSeat(seats, standings))
            expect(ranks[left.section]).toBeGreaterThanOrEqual(least);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("begin in the order of age, and an agent that leaves leaves its cell empty", () => {
    const all = standingsOf(
      [3, 1, 2].map((age) => sampleThread(`t${age}`, { status: "running", createdAt: age })),
      [],
      now,
    );
    const seats = seat(noSeats, all);
    expect(seats.slice(0, 4)).toEqual(["t1", "t2", "t3", undefined]);
    expect(
      seat(
        seats,
        all.filter(({ thread }) => thread.id !== "t2"),
      ).slice(0, 3),
    ).toEqual(["t1", undefined, "t3"]);
  });

  const thread = (id: number, change: Record<string, unknown> = {}) =>
    sampleThread(`t${id}`, { status: "running", createdAt: id, ...change });
  const seated = (before: Seats, ...threads: ReturnType<typeof sampleThread>[]) =>
    seat(before, standingsOf(threads, [], now));

  it("leave an empty cell to who has something to do or was just made, and not to who rests", () => {
    const before = seated(noSeats, thread(1));
    expect(seated(before, thread(1), thread(2, { status: "done" }))[1]).toBeUndefined();
    expect(seated(before, thread(1), thread(2, { status: "new" }))[1]).toBe("t2");
    expect(seated(before, thread(1), thread(2, { status: "failed" }))[1]).toBe("t2");
  });

  it("go from who has rested longest to who begins, and are not counted as left out for who rests", () => {
    const resting = Array.from({ length: seatCount }, (_, at) =>
      thread(at + 1, { status: "done", updatedAt: (at + 4) % seatCount }),
    );
    const full = seated(noSeats, ...resting);
    expect(full).not.toContain(undefined);
    const longest = resting.findIndex(({ updatedAt }) => updatedAt === 0);
    const next = seated(full, ...resting, thread(20));
    expect(next.indexOf("t20" as Seats[number])).toBe(longest);
    expect(withoutSeat(next, standingsOf([...resting, thread(20)], [], now))).toEqual([]);
  });
});
