import { expect, it } from "vitest";
import { createLoopPlace } from "../base/loop-place.ts";
import { StorageError } from "../storage/storage-error.ts";
import { ask } from "./ask.ts";
import { beginExecution, continueExecution, type How } from "./begin-execution.ts";
import type { AskRoute, Decided, GatedCall } from "./call.ts";
import type { Pass } from "./journal.ts";
import { routeOf } from "./judge.ts";
import { announceCall } from "./record.ts";
import type { RunContext } from "./run-context.ts";
import { TestJournal, threadId, turnId } from "./testing/test-journal.ts";

const args = { command: "deploy" };
const call: GatedCall = {
  ...{ key: "call", threadId, turnId, itemId: "call", parentItemId: undefined, agentPath: [] },
  ...{ toolCallId: "call", tool: "execute", args, rule: undefined, argsSchema: undefined, face: undefined },
};

async function decidedCall(test: TestJournal, part: Partial<Decided> = {}) {
  const { journal } = test.running();
  announceCall(journal, call);
  const route = (await routeOf(journal, call)).route as AskRoute;
  const { signal } = new AbortController();
  const run = { signal, loop: createLoopPlace(signal) } as Partial<RunContext> as RunContext;
  const asked = ask({ journal, call, run } as Partial<Pass<never>> as Pass<never>, route, true);
  await test.until(() => test.pending.length === 1);
  await test.decide("deploy", { type: "approve" });
  const decided = await asked;
  if ("unable" in decided) throw new Error(decided.unable);
  Object.assign(decided, part);
  const { by, verdict, width } = decided;
  return {
    journal,
    begin: async (how: Partial<How> = {}, as: GatedCall = call) =>
      beginExecution(journal, as, route, { args, by, decided, verdict, width, ...how }),
  };
}

it("one decision begins one execution, however often it is acted on (I3)", async () => {
  const test = new TestJournal(() => "ask");
  const { journal, begin } = await decidedCall(test);
  const begun = await Promise.allSettled([begin(), begin(), begin()]);
  expect(begun.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect([test.executions.length, test.ledger.length, journal.underway.size]).toEqual([1, 1, 1]);
});

it("a start that the disk did not keep is none: nothing is unknown about it, and its decision is still to be used", async () => {
  const test = new TestJournal(() => "ask");
  const { journal, begin } = await decidedCall(test);
  test.onDisk = Promise.reject(new StorageError("unusable", "The disk answered with an error."));
  await expect(begin()).rejects.toThrow("The disk answered with an error.");
  expect([journal.executions.latestOf(call.key), journal.underway.size]).toEqual([undefined, 0]);
  test.onDisk = Promise.resolve();
  await expect(begin()).resolves.toMatchObject({ args });
});

it("a start that failed for another reason than the disk stays, to be asked about", async () => {
  const test = new TestJournal(() => "ask");
  const { journal, begin } = await decidedCall(test);
  test.onDisk = Promise.reject(new Error("The process came to an end."));
  await expect(begin()).rejects.toThrow("came to an end");
  expect(journal.executions.latestOf(call.key)).toMatchObject({ state: "started" });
});

it.each([
  [new StorageError("unusable", "Nothing can be read."), "The disk answered"],
  [new Error("A fault of ours."), "A fault of ours."],
])(
  "tells what the disk said of a start, unless it is a fault that a second look meets: %s",
  async (met, told) => {
    const test = new TestJournal(() => "ask");
    const { journal, begin } = await decidedCall(test);
    test.onDisk = Promise.reject(new StorageError("unusable", "The disk answered with an error."));
    const get = () => {
      throw met;
    };
    journal.executions = { ...journal.executions, get };
    await expect(begin()).rejects.toThrow(told);
  },
);

it("reaches only what a person saw on the card: no policy or rule lets it out of the workspace or to the own network", async () => {
  const test = new TestJournal(() => "ask");
  const baseHash = "read /elsewhere/a.txt";
  const { begin } = await decidedCall(test, { baseHash });
  const unit = { text: "x", verdict: "ask" as const, reason: "x", source: "web:private" };
  const verdict = { verdict: "ask" as const, units: [unit] };
  const reached = { mayLeaveWorkspace: true, mayReachOwnNetwork: true, shownPath: "/elsewhere/a.txt" };
  expect(await begin({ verdict })).toMatchObject(reached);
  const other = await decidedCall(new TestJournal(() => "ask"), { baseHash, by: { kind: "auto-approve" } });
  const unseen = await other.begin({ verdict });
  expect(unseen).toMatchObject({ mayLeaveWorkspace: false, mayReachOwnNetwork: false });
});

it("binds neither a path inside nor an address elsewhere to more than was shown", async () => {
  const test = new TestJournal(() => "ask");
  const { begin } = await decidedCall(test, { baseHash: "read /work/a.txt" });
  expect(await begin()).toMatchObject({ mayLeaveWorkspace: false, mayReachOwnNetwork: false });
});

it("keeps what a person wrote instead for the record, and binds it to no file of the first card", async () => {
  const test = new TestJournal(() => "ask");
  const baseHash = "read /work/a.txt";
  const edited = { command: "deploy staging" };
  const { journal, begin } = await decidedCall(test, { baseHash, decision: { type: "edit", args: edited } });
  expect(await begin({ args: edited })).toMatchObject({ args: edited, baseHash: undefined });
  expect(journal.ledger.ofThread(threadId).map(({ finalArgs }) => finalArgs)).toEqual([edited]);
});

it("closes an earlier start of the call that was left unknown, and leaves one that ended as it is", async () => {
  const test = new TestJournal(() => "ask");
  const { journal, begin } = await decidedCall(test);
  const first = await begin({ decided: undefined });
  const second = await begin({ decided: undefined });
  const state = (id: typeof first.executionId) => journal.executions.get(id)?.state;
  expect([state(first.executionId), state(second.executionId)]).toEqual(["closed", "started"]);
  const receipt = { executionId: second.executionId, durationMs: 1 };
  journal.executions.finish(second.executionId, { outcome: "ok", result: "", receipt });
  await begin({ decided: undefined });
  expect(state(second.executionId)).toBe("finished");
});

it("tells ahead of a command which is about to begin where, and of nothing else", async () => {
  const test = new TestJournal(() => "ask");
  const { journal, begin } = await decidedCall(test);
  const looked: unknown[] = [];
  journal.lookAhead = (workspace, ahead) => void looked.push([workspace, ahead]);
  const decided = undefined;
  const safe = await begin({ decided, verdict: { verdict: "safe", units: [] }, width: "workspace" });
  await begin({ decided }, { ...call, tool: "write_file", args: { file_path: "/work/a" } });
  const { executionId } = await begin({ decided });
  expect(looked).toEqual([
    ["/work", { executionId: safe.executionId, mayChangeFiles: false, width: "workspace" }],
    ["/work", { executionId, mayChangeFiles: true, width: "outside" }],
  ]);
});

it("goes on after an answer with what the person had decided and seen of the call, and nothing more", async () => {
  const test = new TestJournal(() => "ask");
  const { journal, begin } = await decidedCall(test);
  const { executionId } = await begin({ width: "workspace" });
  journal.executions.suspend(executionId);
  expect(continueExecution(journal, call, executionId)).toMatchObject({
    ...{ executionId, args, width: "workspace", mayLeaveWorkspace: false, mayReachOwnNetwork: false },
  });
  expect(journal.executions.get(executionId)?.state).toBe("started");
});
