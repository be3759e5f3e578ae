/** Reading a repository must not run what its configuration names. */
import { existsSync, statSync, writeFileSync } from "node:fs";
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

it("notes nothing in a repository that is only read, not even which files were looked at", async () => {
  const { dir, run } = openShellFixture();
  const commit = "git -C repo -c user.name=a -c user.email=a@b.example commit -qm a";
  await run(`git init -q repo && touch repo/a && git -C repo add a && ${commit} && touch -d @1 repo/a`);
  const index = () => statSync(join(dir, "repo", ".git", "index"), { bigint: true }).ino;
  const before = index();
  for (const reading of ["diff", "diff --stat HEAD", "status", "describe --always", "log -p"]) {
    expect((await run(`cd repo && git ${reading}`)).exitCode).toBe(0);
    expect([reading, index()]).toEqual([reading, before]);
  }
  // Without our environment it does, or this test would prove nothing.
  await run("cd repo && env -u GIT_CONFIG_COUNT git diff");
  expect(index()).not.toBe(before);
});

it("has no signature checked by another program when it only reads", async () => {
  const { dir, run } = openShellFixture();
  const program = join(dir, "checker.sh");
  writeFileSync(program, `#!/bin/sh\ntouch "${join(dir, "checked")}"\n`, { mode: 0o755 });
  await run(
    "git init -q repo && cd repo && git -c user.name=a -c user.email=a@b.example commit -q --allow-empty -m a",
  );
  const signed =
    "git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----'";
  await run(`cd repo && git update-ref HEAD $(${signed} | git hash-object -t commit -w --stdin)`);
  await run(`cd repo && git config log.showSignature true && git config gpg.program "${program}"`);
  expect((await run("cd repo && git log")).exitCode).toBe(0);
  expect(existsSync(join(dir, "checked"))).toBe(false);
  await run("cd repo && env -u GIT_CONFIG_COUNT git log");
  expect(existsSync(join(dir, "checked"))).toBe(true);
});
