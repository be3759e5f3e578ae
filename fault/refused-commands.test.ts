/** Kills a real host at each step of a command that the sandbox refused something: nothing lost, nothing a time too often. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { missing } from "../src/main/sandbox/testing/real-sandbox.ts";
import { killAndGoOn, ledgerExecutions, openScene, type Scene, send } from "./scene.ts";

let scene: Scene;
/** Not below `/tmp`, of which a confined command has its own. */
let elsewhere: string;

beforeEach(async () => {
  scene = await openScene({ sandbox: "auto" });
  elsewhere = mkdtempSync("/var/tmp/countersign-refused-");
  await writeFile(
    join(scene.folders.workspace, "a.sh"),
    `echo x >> runs; echo x >> ${join(elsewhere, "beside")}\n`,
  );
});

afterEach(async () => {
  await scene.close();
  rmSync(elsewhere, { recursive: true });
});

const besides = async () =>
  (await readFile(join(elsewhere, "beside"), "utf8").catch(() => "")).split("\n").filter(Boolean).length;

/** Where the host dies, the how manieth time it comes there, how often the command ran in all by the end, and what the next host asks. */
const steps: [barrier: string, count: number, runs: number, asks?: string][] = [
  // Before the end of the first run is on disk: it is unknown, and the person says that it is done.
  ["effect-done", 1, 1, "recovery"],
  ["approval-asked", 2, 1, "recovery"],
  ["end-asked", 1, 2, "escalation"],
  ["approval-decided", 2, 2],
  // The second run is on disk and has not begun: unknown, and the person says that it is done.
  ["execution-started", 2, 1, "recovery"],
  ["effect-done", 2, 2, "recovery"],
];

/** The long run has all of them: each starts two hosts that attack their sandbox. */
const killedAt = steps.filter(([barrier]) => isLongRun || barrier === "approval-decided");

describe.skipIf(missing !== undefined)("a refused command whose host is killed", () => {
  it.each(killedAt)("at %s, number %i, runs %i times in all", async (barrier, count, runs, asks) => {
    const at = { COUNTERSIGN_KILL_AT: barrier, COUNTERSIGN_KILL_AT_COUNT: String(count) };
    const { second, threadId } = await killAndGoOn(scene, at, "run bash a.sh");
    expect([await scene.runsOf("runs"), await besides()]).toEqual([runs, runs - 1]);
    const asked = [...second.approvals.values()].map(({ kind }) => kind).filter((kind) => kind !== "tool");
    expect(asked.length).toBeLessThanOrEqual(1);
    if (asks) expect(asked).toEqual([asks]);
    const executions = await ledgerExecutions(second);
    expect(new Set(executions).size).toBe(executions.length);
    const { items } = await second.client.call("threads.page", { threadId, limit: 100 });
    expect(items.filter((item) => item.kind === "toolCall").map(({ state }) => state)).toEqual(["finished"]);
  });

  const afterNo = async () => {
    const first = await scene.start({
      COUNTERSIGN_KILL_AT: "approval-decided",
      COUNTERSIGN_KILL_AT_COUNT: "2",
    });
    const threadId = await scene.newThread(first);
    await send(first, threadId, "run bash a.sh");
    await first.until((on) => on.pending().length === 1, "the command waits");
    await first.decide(first.pending()[0]!, { type: "approve" });
    await first.until((on) => on.pending().some(({ kind }) => kind === "escalation"), "it was refused");
    await first.decide(first.pending()[0]!, { type: "reject" }).catch(() => undefined);
    expect(await first.exited).toBe("SIGKILL");

    const second = await scene.start();
    await second.until((on) => on.threads.get(threadId)?.status === "done", "the thread is done");
    expect([await scene.runsOf("runs"), await besides(), second.pending()]).toEqual([1, 0, []]);
  };
  if (isLongRun) it("after a no keeps to that", afterNo);
});
