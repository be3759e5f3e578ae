/** Reading a repository must not run what its configuration names. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openShellFixture } from "./testing/open-shell.ts";

it("does not run a repository's file system monitor on git status", async () => {
  const { dir, run } = openShellFixture();
  const monitor = join(dir, "monitor.sh");
  writeFileSync(monitor, `#!/bin/sh\ntouch "${join(dir, "ran")}"\n`, { mode: 0o755 });
  await run(`git init -q repo && git -C repo config core.fsmonitor "${monitor}"`);
  // The same command without our environment runs it, or this test would prove nothing.
  await run("cd repo && env -u GIT_CONFIG_COUNT git status && rm ../ran").then(({ exitCode }) =>
    expect(exitCode).toBe(0),
  );
  const { exitCode } = await run("cd repo && git status");
  expect(exitCode).toBe(0);
  expect(existsSync(join(dir, "ran"))).toBe(false);
});

it("takes no plain files for a repository where there is no .git", async () => {
  const { run } = openShellFixture();
  await run("git init -q --bare plain");
  // Without our environment git would find it and obey its settings.
  const found = await run("cd plain && env -u GIT_CONFIG_COUNT git rev-parse --git-dir");
  expect(found.exitCode).toBe(0);
  const { exitCode } = await run("cd plain && git rev-parse --git-dir");
  expect(exitCode).not.toBe(0);
});
