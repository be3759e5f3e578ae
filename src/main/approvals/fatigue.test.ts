/** What is counted of a person's decisions, each figure on rows that can be counted by hand. */
import { describe, expect, it } from "vitest";
import { countFatigue, type DecidedRow, findChange } from "./fatigue.ts";

const minute = 60_000;
const row = (part: Partial<DecidedRow> & { minutes: number }): DecidedRow => ({
  at: part.minutes * minute,
  decidedAt: part.minutes * minute + 1_000,
  threadId: "t",
  tool: "execute",
  type: "approve",
  risk: "medium",
  ms: 2_000,
  among: null,
  shape: "npm test",
  cwd: "/w",
  ...part,
});

describe("the meter", () => {
  it("counts asks in the hours in which somebody sat there, and for each thread", () => {
    // Two sittings: 5 minutes and a quarter of an hour around, and one ask hours later with its own quarter.
    const rows = [row({ minutes: 0 }), row({ minutes: 5 }), row({ minutes: 600, threadId: "u" })];
    expect(countFatigue(rows, 600 * minute)).toMatchObject({
      decided: 3,
      days: 1,
      perHour: 3 / (35 / 60),
      perThread: 1.5,
    });
  });

  it("takes the median of looks at single cards, and leaves out those nobody measured", () => {
    const looks = [400, 9_000, 2_000, null].map((ms, at) => row({ minutes: at, ms }));
    expect(countFatigue([...looks, row({ minutes: 9, ms: 50, among: 5 })], 0)).toMatchObject({
      lookMs: 2_000,
      looked: 3,
    });
    expect(countFatigue([row({ minutes: 0, ms: null })], 0)).not.toHaveProperty("lookMs");
  });

  it("counts approvals of risky cards that were looked at for less than a second", () => {
    const rows = [
      row({ minutes: 0, risk: "high", ms: 900 }),
      row({ minutes: 1, risk: "high", ms: 1_000 }),
      row({ minutes: 2, risk: "high", ms: null }),
      row({ minutes: 3, risk: "high", ms: 10, type: "reject" }),
      row({ minutes: 4, risk: "low", ms: 10 }),
    ];
    expect(countFatigue(rows, 0)).toMatchObject({ approved: 4, risky: 3, hurried: 1 });
  });

  it("counts approvals of which the like was rejected later, in the same folder", () => {
    const rows = [
      row({ minutes: 0 }),
      row({ minutes: 0.5 }),
      row({ minutes: 1, cwd: "/other" }),
      row({ minutes: 2, shape: "" }),
      row({ minutes: 3, type: "reject" }),
      row({ minutes: 4, type: "reject", shape: "" }),
      row({ minutes: 5 }),
    ];
    expect(countFatigue(rows, 0).regretted).toBe(2);
  });

  it("counts what was decided one by one while the like waited beside it", () => {
    const rows = [
      row({ minutes: 0, decidedAt: 10 * minute }),
      row({ minutes: 1, decidedAt: 11 * minute }),
      row({ minutes: 2, decidedAt: 12 * minute, threadId: "u" }),
      row({ minutes: 3, decidedAt: 12 * minute, among: 2 }),
      row({ minutes: 30 }),
    ];
    expect(countFatigue(rows, 0).together).toBe(1);
  });

  it("names the change that would have spared most, and none that spares hardly anything", () => {
    expect(findChange(4, 9)).toEqual({ kind: "rules", spared: 9 });
    expect(findChange(5, 4)).toEqual({ kind: "together", spared: 5 });
    expect(findChange(2, 2)).toBeUndefined();
  });

  it("counts a day where the clock was put back behind what was asked", () => {
    expect(countFatigue([row({ minutes: 90 })], 0)).toMatchObject({ decided: 1, days: 1 });
  });

  it("says of nothing that it is nothing", () => {
    expect(countFatigue([], 5)).toEqual({
      decided: 0,
      days: 0,
      perHour: 0,
      perThread: 0,
      approved: 0,
      looked: 0,
      risky: 0,
      hurried: 0,
      regretted: 0,
      together: 0,
    });
  });
});
