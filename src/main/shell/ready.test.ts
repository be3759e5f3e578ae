/** Commands wait until it is known where their programs are. */
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
