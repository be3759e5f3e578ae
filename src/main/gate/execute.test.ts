/** What becomes of an effect by what its backend met: an end with a receipt, a question, or nothing begun. */
import { expect, it } from "vitest";
import type { GatedCall, RunRoute } from "./call.ts";
import { execute } from "./execute.ts";
import type { Pass } from "./journal.ts";
import { announceCall, toldResult } from "./record.ts";
import { type ExecutionContext, type RunContext, requireExecution } from "./run-context.ts";
import { TestJournal, threadId, turnId } from "./testing/test-journal.ts";

const args = { command: "make" };
const call: GatedCall = {
  ...{ key: "call", threadId, turnId, itemId: "call", parentItemId: undefined, agentPath: [] },
  ...{ toolCallId: "call", tool: "execute", args, rule: undefined, argsSchema: undefined, face: undefined },
};
const verdict = { verdict: "new" as const, units: [] };
const by = { kind: "policy" as const };
const route: RunRoute = { kind: "run", verdict, by, cwd: "/work", face: undefined, width: "workspace" };
const refusals = { lines: ["Could not resolve host"], width: "outside" as const };

type Met = Partial<ExecutionContext> & { throws?: Error; isError?: boolean; said?: string };

/** Runs the call once, with a backend that met this. */
async function run(met: Met, { mayAskAgain = false, isUnattended = false, times = 1 } = {}) {
  const test = new TestJournal(() => "run");
  const { journal } = test.running();
  announceCall(journal, call);
  const live: Pass<string>["journal"] = { ...journal, isUnattended };
  const controller = new AbortController();
  const pass = {
    ...{ journal: live, call },
    run: { signal: controller.signal, busy: 0, onQuiet: () => {} } as Partial<RunContext> as RunContext,
    async act() {
      const { throws, isError = false, said = "said", ...set } = met;
      Object.assign(requireExecution("the test"), set);
      if (throws) throw throws;
      return { text: said, isError, original: "original" };
    },
  } as Partial<Pass<string>> as Pass<string>;
  let last: Awaited<ReturnType<typeof execute<string>>> | undefined;
  let thrown: unknown;
  for (let time = 0; time < times; time += 1)
    try {
      last = await execute(
        pass,
        route,
        { args, by, decided: undefined, verdict, width: "workspace" },
        mayAskAgain,
      );
    } catch (error) {
      thrown = error;
    }
  const executions = journal.executions.ofThread(threadId).map(({ id }) => journal.executions.get(id)!);
  const notices = test.events.flatMap((event) => (event.type === "notice.added" ? [event.text] : []));
  const told = toldResult(journal, call);
  return { kind: last?.kind, thrown, end: executions.at(-1), told, notices, pending: test.pending.length };
}

it.each<[string, Met, string]>([
  ["ended well", {}, "ok"],
  ["ended with an exit code", { receipt: { exitCode: 2 } }, "failed"],
  ["ended with exit code zero", { receipt: { exitCode: 0 } }, "ok"],
  ["said that it is an error", { isError: true }, "failed"],
  ["came to nothing", { failed: true }, "failed"],
  ["was ended by the person", { cancelled: true, receipt: { exitCode: 130 } }, "cancelled"],
])("writes down what %s", async (_, met, outcome) => {
  const { kind, end, told } = await run(met);
  expect([kind, end?.state, end?.outcome, told]).toEqual(["output", "finished", outcome, "said"]);
});

it("keeps a result once: in the transcript where that has it whole, else beside its receipt", async () => {
  expect((await run({})).end?.result).toBeNull();
  const long = "x".repeat(1_000_000);
  const { end, told } = await run({ said: long });
  expect([end?.result === long, told.length < long.length]).toEqual([true, true]);
});

it("writes down what a backend threw, as cancelled where the person ended it", async () => {
  const throws = new Error("It broke.");
  expect(await run({ throws })).toMatchObject({
    thrown: throws,
    end: { outcome: "failed" },
    told: "It broke.",
  });
  expect(await run({ throws, cancelled: true })).toMatchObject({ end: { outcome: "cancelled" } });
  // Nothing was done, whatever was thrown behind it.
  expect(await run({ throws, stale: true })).toMatchObject({
    kind: "stale",
    thrown: undefined,
    end: { state: "dropped" },
  });
  expect(await run({ stale: true })).toMatchObject({ kind: "stale", end: { state: "dropped" } });
});

it("asks again about what could not be started where somebody said yes to it, or it was to be confined and somebody is there", async () => {
  const notStarted = "No shell was there.";
  const asked = { kind: "stale", end: { state: "dropped" }, notices: [expect.stringContaining(notStarted)] };
  const failed = { kind: "output", end: { outcome: "failed" }, notices: [] };
  expect(await run({ notStarted }, { mayAskAgain: true })).toMatchObject(asked);
  expect(await run({ notStarted })).toMatchObject(failed);
  expect(await run({ notStarted, notConfined: true })).toMatchObject(asked);
  expect(await run({ notStarted, notConfined: true }, { isUnattended: true })).toMatchObject(failed);
});

it("asks about what the sandbox refused a command that failed by it, once, and where somebody is there", async () => {
  const met = { refusals, receipt: { exitCode: 1 } };
  expect(await run(met)).toMatchObject({ kind: "endAsked", end: { outcome: "failed" }, pending: 1 });
  expect(await run(met, { times: 2 })).toMatchObject({ kind: "output", pending: 1 });
  expect(await run({ refusals })).toMatchObject({ kind: "output", end: { outcome: "ok" }, pending: 0 });
  expect(await run({ ...met, cancelled: true })).toMatchObject({ kind: "output", pending: 0 });
  expect(await run(met, { isUnattended: true })).toMatchObject({ kind: "output", pending: 0 });
});
