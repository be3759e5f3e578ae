import { describe, expect, it } from "vitest";
import { wayOf } from "../approvals/answers.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import { threadId } from "../threads/testing/add-thread.ts";
import type { TurnRow } from "../threads/turn-store.ts";
import { type WakeParts, wake } from "./wake.ts";

type Asked = Pick<ApprovalRow, "askedBy" | "kind">;
const askedBys = ["gate", "foreign"] as const;
const kinds = ["tool", "recovery", "interrupt", "batch"] as const;
const every: Asked[] = askedBys.flatMap((askedBy) => kinds.map((kind) => ({ askedBy, kind })));

/** What a wake did; actors, runs and seats are only told here, and each has tests of its own. */
function woken(asked: Asked, at: { running: boolean; unfinished: boolean }): string[] {
  const did: string[] = [];
  const parts: WakeParts = {
    room: { wake: (id) => void did.push(`look at ${id}`) },
    runs: { considerParking: () => void did.push("rest") },
    actors: { isRunning: () => at.running, resume: () => void did.push("resume") },
    deliver: ({ id }) => void did.push(`deliver ${id}`),
    threads: { currentTurn: () => (at.unfinished ? ({} as Partial<TurnRow> as TurnRow) : undefined) },
  };
  wake(parts, { ...asked, id: "a", threadId } as Partial<ApprovalRow> as ApprovalRow);
  return did;
}

describe("a decision", () => {
  it.each(every)("about a $kind that the $askedBy asked wakes exactly one thing", (asked) => {
    const inRun = wayOf(asked) === "seat" ? "look at a" : "rest";
    expect(woken(asked, { running: true, unfinished: true })).toEqual([inRun]);
    expect(woken(asked, { running: false, unfinished: true })).toEqual(["resume"]);
  });

  it.each(every)("about a $kind that the $askedBy asked wakes nothing when its turn was stopped", (asked) => {
    expect(woken(asked, { running: false, unfinished: false })).toEqual([]);
  });

  it("goes to a graph that knows no gate as its input, whatever it asked; and to a gate only by its row", () => {
    for (const asked of every) expect(wayOf(asked) === "resume").toBe(asked.askedBy === "foreign");
  });

  it("about what an agent in a terminal asks is for its hook, since no run of ours waits for it", () => {
    const asked: Asked = { askedBy: "hook", kind: "terminal" };
    expect(woken(asked, { running: false, unfinished: false })).toEqual(["look at a"]);
  });

  it("about what a thread of a server asks is for its source, which works elsewhere", () => {
    const asked: Asked = { askedBy: "server", kind: "batch" };
    expect(woken(asked, { running: false, unfinished: false })).toEqual(["deliver a"]);
  });

  it("about a call is for the seat of its gate, and the answer to a tool in the middle of its work for a fresh run", () => {
    const ways = kinds.map((kind) => wayOf({ askedBy: "gate", kind }));
    expect(ways).toEqual(["seat", "seat", "replay", "seat"]);
  });
});
