import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { console, folders, withHost } from "../host/testing/host-fixture.ts";
import { createUnaskedOutput } from "./unasked-output.ts";

withHost("file");

it("gives a thread's unasked commands less and less room, and all of them together no more than there is", () => {
  const output = createUnaskedOutput();
  const [greedy, other] = ["greedy", "other"] as ThreadId[];
  const first = output.roomFor(greedy!);
  let taken = 0;
  for (let command = 0; command < 1_000; command += 1) {
    taken += output.roomFor(greedy!);
    output.note(greedy!, 1e12);
  }
  expect(taken).toBeLessThanOrEqual(16 * first);
  expect(output.roomFor(greedy!)).toBeLessThan(first / 100);
  expect(output.roomFor(other!)).toBe(first);
});

it("ends the log of a read-only command at its share", async () => {
  writeFileSync(join(folders.workspace, "long.txt"), "0123456789abcde\n".repeat(1_300_000));
  const threadId = await console.start();
  expect(await console.run(threadId, "run cat long.txt")).toMatchObject({ status: "done" });
  const [call] = await console.toolCalls(threadId);
  expect(call?.receipt?.bytes).toBeGreaterThan(20_000_000);
  const log = join(folders.dataDir, "command-logs", `${call?.executionId}.log`);
  expect(statSync(log).size).toBeLessThan(17 * 1024 * 1024);
});

it("tells the model what became of a process that was started with &", async () => {
  const threadId = await console.start(
    String.raw`run sleep 1000 & echo started
run echo 'a & b' "c \" & d" \& 2>&1 <&0 && echo c |& cat &> /dev/null`,
  );
  await console.approveAll(threadId);
  const results = (await console.toolCalls(threadId)).map(({ result }) => result);
  expect(results[0]).toContain("has ended with this command");
  expect(results[1]).not.toContain("has ended with this command");
});
