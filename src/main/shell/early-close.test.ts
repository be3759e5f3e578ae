/** A program may close its terminal before it ends; it is not hung up on for that. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openShellFixture } from "./testing/open-shell.ts";

it("reports the true exit code of a program that closes its standard streams first", async () => {
  const { dir, run } = openShellFixture();
  for (let round = 0; round < 20; round += 1) {
    writeFileSync(join(dir, "file"), "");
    // The last command takes the place of the shell, so that no other process holds the terminal open.
    const removed = await run("true && rm file");
    expect({ exitCode: removed.exitCode, signal: removed.signal }).toEqual({
      exitCode: 0,
      signal: undefined,
    });
  }
  const late = await run("exec 0<&- 1>&- 2>&-; sleep 0.05; exit 7");
  expect({ exitCode: late.exitCode, signal: late.signal }).toEqual({ exitCode: 7, signal: undefined });
});
