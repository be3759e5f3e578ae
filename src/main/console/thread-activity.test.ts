/** What a running agent does now, told from the events as the gate writes them, and told no more often than it changes. */
import { beforeEach, describe, expect, it } from "vitest";
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { MessageId, ThreadId, TurnId } from "../../shared/ids.ts";
import { called, returned, said, sent } from "../threads/testing/open-log.ts";
import { createThreadActivity, type ThreadActivity } from "./thread-activity.ts";

const threadId = "t" as ThreadId;
let activity: ThreadActivity;
let told: number;
let clock: number;

beforeEach(() => {
  told = 0;
  clock = 100;
  activity = createThreadActivity(
    () => clock,
    () => {
      told += 1;
    },
  );
});

function happens(at: number, ...data: ThreadEventData[]): void {
  clock = at;
  activity.hear({
    kind: "events",
    threadId,
    events: data.map((one) => ({ seq: at, threadId, at, data: one })),
  });
}

function delta(text: string | undefined): void {
  const delta = { messageId: "m" as MessageId, turnId: "turn" as TurnId, agentPath: [], text };
  activity.hear({ kind: "delta", threadId, delta });
}

const now = () => activity.of(threadId);
const asked = (itemId: string): ThreadEventData => ({
  type: "approval.requested",
  itemId,
  approvalId: "a" as never,
});
const starts = (itemId: string): ThreadEventData => ({
  type: "execution.started",
  itemId,
  executionId: "x" as never,
});
const ends: ThreadEventData = {
  type: "turn.finished",
  itemId: "end",
  turnId: "turn" as TurnId,
  outcome: "done",
};

describe("what an agent does now", () => {
  it("is thinking, then writing, then thinking again, since when each began", () => {
    expect(now()).toBeUndefined();
    happens(1, sent("s", "go"));
    expect(now()).toEqual({ kind: "thinking", since: 1 });
    clock = 5;
    delta(undefined);
    expect(now()).toEqual({ kind: "thinking", since: 1 });
    const before = told;
    for (const word of ["a", "b", "c"]) delta(word);
    expect([now(), told - before]).toEqual([{ kind: "writing", since: 5 }, 1]);
    happens(9, said("m", "abc"));
    expect(now()).toEqual({ kind: "thinking", since: 9 });
    happens(10, ends);
    expect(now()).toBeUndefined();
  });

  it("is a call by what it is about, from when its effect began rather than from when it was asked", () => {
    happens(1, sent("s", "go"), called("c", "execute", { command: "npm test\nnpm run build" }));
    happens(2, asked("c"));
    expect(now()).toBeUndefined();
    happens(60, starts("c"));
    expect(now()).toEqual({ kind: "call", tool: "execute", about: "npm test…", since: 60, beside: 0 });
    happens(70, returned("c", "ok"));
    expect(now()).toEqual({ kind: "thinking", since: 70 });
  });

  it("counts what runs beside it, and prefers what a sub-agent does to that it was asked to", () => {
    happens(
      1,
      called("t1", "task", { subagent_type: "writer" }),
      called("t2", "task", { subagent_type: "tester" }),
    );
    expect(now()).toMatchObject({ tool: "task", about: "tester", beside: 1 });
    happens(
      2,
      called("r1", "read_file", { file_path: "a.ts" }),
      called("r2", "read_file", { file_path: "b.ts" }),
    );
    expect(now()).toMatchObject({ tool: "read_file", about: "b.ts", beside: 1 });
    happens(3, called("w", "execute", { command: "make" }), asked("w"));
    expect(now()).toMatchObject({ tool: "read_file", about: "b.ts", beside: 1 });
  });

  it("stays short and whole, whatever a server's tool is called with", () => {
    happens(1, called("c", "server__do", { text: "😀".repeat(100_000) }));
    const call = now();
    const about = call?.kind === "call" ? call.about : "";
    expect([about.startsWith('{"text":'), about.length < 170, about.isWellFormed()]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
