/** A process for terminals that cannot be had: an approval is not used up by a command that was never started. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { forkWithNode } from "../shell/shell-host-process.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

let refuses = true;

withHost("test", () => ({
  forkShellHost(file, environment) {
    if (refuses) throw new Error("no process is left");
    return forkWithNode(file, environment);
  },
}));

it("asks again and says why, and runs once when it can", async () => {
  const threadId = await console.start("run echo once >> once");
  const asked = await console.onePending(threadId);
  expect(await console.approve(asked)).toMatchObject({ ok: true });
  await console.until(() => console.pending(threadId).some(({ id }) => id !== asked.id), "it is asked again");
  expect(existsSync(join(folders.workspace, "once"))).toBe(false);
  expect(await console.notices(threadId)).toEqual([
    expect.objectContaining({
      text: expect.stringMatching(/was not started: .*no process is left.*asked about again/),
    }),
  ]);
  refuses = false;
  await console.approve(await console.onePending(threadId));
  await console.untilStatus(threadId, "done");
  expect(existsSync(join(folders.workspace, "once"))).toBe(true);
});
