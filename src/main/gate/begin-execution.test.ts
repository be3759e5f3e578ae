import { expect, it } from "vitest";
import { StorageError } from "../storage/storage-error.ts";
import { ask } from "./ask.ts";
import { beginExecution } from "./begin-execution.ts";
import type { AskRoute, GatedCall } from "./call.ts";
import type { Pass } from "./journal.ts";
import { announceCall } from "./record.ts";
import { routeOf } from "./route.ts";
import type { RunContext } from "./run-context.ts";
import { TestJournal, threadId, turnId } from "./testing/test-journal.ts";

const args = { command: "deploy" };
const call: GatedCall = {
  ...{ key: "call", threadId, turnId, itemId: "call", parentItemId: undefined, agentPath: [] },
  ...{ toolCallId: "call", tool: "execute", args, rule: undefined, argsSchema: undefined, face: undefined },
};

async function decidedCall(test: TestJournal) {
  const { journal } = test.running();
  announceCall(journal, call);
  const route = (await routeOf(journal, call)) as AskRoute;
  const run = { signal: new AbortController().signal } as Partial<RunContext> as RunContext;
  const asked = ask({ journal, call, run } as Partial<Pass<never>> as Pass<never>, route);
  await test.until(() => test.pending.length === 1);
  await test.decide("deploy", { type: "approve" });
  const decided = await asked;
  if ("unable" in decided) throw new Error(decided.unable);
  const { by, verdict, width } = decided;
  return {
    journal,
    begin: async () => beginExecution(journal, call, route, { args, by, decided, verdict, width }),
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
