/** Commands wait until it is known where their programs are, and are not hung up on when they close their terminal early. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openShellFixture } from "./testing/open-shell.ts";

it("starts a command only once the environment is what it is to be, warmed up or not", async () => {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  const ready = Promise.withResolvers<void>();
  const { shell, run } = openShellFixture({ environment, ready: ready.promise });
  shell.warmUp();
  const running = run('echo "found in $PATH"');
  environment.PATH = `/opt/of/the/person:${process.env.PATH}`;
  ready.resolve();
  expect((await running).output).toContain("found in /opt/of/the/person:");
});

it("starts nothing that was still waiting when the app closed", async () => {
  const ready = Promise.withResolvers<void>();
  const { shell, run } = openShellFixture({ ready: ready.promise });
  const refused = expect(run("echo late")).rejects.toThrow("closing");
  await shell.disposeAll();
  ready.resolve();
  await refused;
});

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
