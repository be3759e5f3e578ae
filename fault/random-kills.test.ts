/** Kills the host at random moments of random work, again and again on one data directory, and checks the promise each time. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import { driveToEnd, driveUntilKilled, ledgerExecutions, openScene, type Scene, send } from "./scene.ts";

/** `COUNTERSIGN_FAULT_KILLS=200` for the long run; `COUNTERSIGN_FAULT_SEED` repeats one. */
const kills = Number(process.env.COUNTERSIGN_FAULT_KILLS ?? (isLongRun ? "8" : "3"));
const seed = Number(process.env.COUNTERSIGN_FAULT_SEED ?? Date.now() % 2 ** 31);

let scene: Scene;

beforeEach(async () => {
  scene = await openScene();
});

afterEach(() => scene.close());

/** A line that appends to a file of its own, at the top or inside a sub-agent, beside others or after them. */
const step = fc.constantFrom("run", "delegate", "ask", "say", "write");
const work = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

let counter = 0;

function toLine(kind: string, marks: string[]): string {
  if (kind === "ask") return "ask Which one?";
  if (kind === "say") return "say something longer that takes a moment to be written";
  counter += 1;
  const mark = `mark-${counter}`;
  if (kind === "write") return `write file-${counter} text`;
  marks.push(mark);
  return kind === "run" ? `run echo x >> ${mark}` : `delegate general-purpose: run echo x >> ${mark}`;
}

it(`keeps its promise over ${kills} random kills (seed ${seed})`, { timeout: kills * 60_000 }, async () => {
  const threads: ThreadId[] = [];
  const texts = new Map<ThreadId, string>();
  const allMarks: string[] = [];
  await fc.assert(
    fc.asyncProperty(work, fc.integer({ min: 0, max: 1_500 }), async (paragraphs, killAfterMs) => {
      const marks: string[] = [];
      const text = paragraphs
        .map((lines) => lines.map((kind) => toLine(kind, marks)).join("\n"))
        .join("\n\n");
      const host = await scene.start();
      const threadId = await scene.newThread(host);
      threads.push(threadId);
      texts.set(threadId, text);
      allMarks.push(...marks);
      await send(host, threadId, text);
      await driveUntilKilled(host, threadId, killAfterMs, () => void host.kill());

      const after = await scene.start();
      await after.until((on) => threads.every((id) => on.threads.has(id)), "every thread is there");
      await driveToEnd(after, threads);
      for (const id of threads) expect(after.threads.get(id)?.status).toBe("done");
      const { items } = await after.client.call("threads.page", { threadId, limit: 200 });
      expect(items.filter((item) => item.kind === "userMessage").map((item) => item.text)).toEqual([
        texts.get(threadId),
      ]);
      for (const mark of allMarks) expect(await scene.runsOf(mark)).toBeLessThanOrEqual(1);
      const executions = await ledgerExecutions(after);
      expect(new Set(executions).size).toBe(executions.length);
      await after.stop();
    }),
    { numRuns: kills, seed, endOnFailure: true },
  );
});
