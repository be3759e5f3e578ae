/** What a question of a server binds a decision to, and what of it can be told no alone. */
import { describe, expect, it } from "vitest";
import type { RemoteServer } from "../../../shared/contract/remote-servers.ts";
import { toGroup } from "./server-cards.ts";
import type { Seen, Waiting } from "./waiting-in.ts";

const server = { id: "s", name: "Server", url: "http://127.0.0.1:2024" } as RemoteServer;
const seen: Omit<Seen, "waiting"> = {
  ...{ thread: "t", status: "interrupted", assistant: "a", graph: "g", checkpoint: "c" },
  ...{ failed: undefined, title: undefined },
};
const waiting: Waiting = {
  ...{ task: "k", interrupt: "i", schema: undefined },
  value: {
    action_requests: [{ name: "send", args: { to: "ann" } }],
    review_configs: [{ action_name: "send", allowed_decisions: ["approve", "reject"] }],
  },
};
type Change = { server?: object; seen?: object; waiting?: object };

function questionOf(change: Change) {
  const [question] = toGroup(
    { ...server, ...change.server },
    { ...seen, waiting: [], ...change.seen },
    { ...waiting, ...change.waiting },
  ).questions;
  return question!;
}

const changes: [string, Change][] = [
  ["server", { server: { id: "s2" } }],
  ["address", { server: { url: "http://127.0.0.1:2025" } }],
  ["thread", { seen: { thread: "t2" } }],
  ["assistant", { seen: { assistant: "a2" } }],
  ["unknown assistant", { seen: { assistant: undefined } }],
  ["checkpoint", { seen: { checkpoint: "c2" } }],
  ["lost checkpoint", { seen: { checkpoint: null } }],
  ["task", { waiting: { task: "k2" } }],
  ["interrupt", { waiting: { interrupt: "i2" } }],
  ["value", { waiting: { value: { ...(waiting.value as object), note: "more" } } }],
  ["schema", { waiting: { schema: { type: "string" } } }],
  ["id that another question has too", { waiting: { isShared: true } }],
];

describe("the digest of a question", () => {
  it("is the same for the same question, each time it is read", () => {
    expect(questionOf({}).digest).toBe(questionOf({}).digest);
  });

  it.each(changes)("is another one with another %s", (_what, change) => {
    expect(questionOf(change).digest).not.toBe(questionOf({}).digest);
  });

  it("does not hang on what a server only calls itself, or on how far a thread is", () => {
    const same = questionOf({ server: { name: "Other" }, seen: { status: "idle", title: "x", graph: "h" } });
    expect(same.digest).toBe(questionOf({}).digest);
  });
});

it.each([
  ["shares its id", { waiting: { isShared: true } }, "under the same id"],
  ["has no assistant", { seen: { assistant: undefined } }, "which assistant asks"],
] as [string, Change, string][])("can be told no alone where it %s, and says why", (_what, change, why) => {
  const { allowed, server: card } = questionOf(change);
  expect([allowed, card?.limit]).toEqual([["reject"], expect.stringContaining(why)]);
  expect(questionOf({}).allowed).toEqual(["approve", "reject"]);
});
