/** `threads home` against a running console, with a real repository and a thread in a worktree of it. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { addressFile } from "../console/command-line-door.ts";
import { type Folders, type TestConsole, withHost } from "../host/testing/host-fixture.ts";
import { consoleExitCodes as codes } from "./console-options.ts";
import { Sink } from "./testing/sink.ts";
import { runThreads } from "./threads.ts";

let window: TestConsole;
let folders: Folders;

withHost("file", (opened) => {
  window = opened.console;
  ({ folders } = opened);
});

async function home(...words: string[]) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const code = await runThreads(["home", "--data-dir", folders.dataDir, ...words], { stdout, stderr });
  return { code, out: stdout.text, err: stderr.text };
}

it("shows what a worktree would bring home, brings just that, and undoes it; the record says from where", async () => {
  const { workspace, dataDir } = folders;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], {
      cwd: workspace,
      encoding: "utf8",
    });
  git("init", "-q", "-b", "main");
  writeFileSync(join(workspace, "notes.md"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "one");
  await window.trust(workspace);
  await window.client.call("settings.update", { commandLine: true });
  await window.until(() => existsSync(addressFile(dataDir)), "the door is open");
  const thread = await window.start();
  await window.client.call("threads.chooseWorktree", { threadId: thread, wanted: true });
  await window.send(thread, "run echo two > notes.md");
  await window.approveAll(thread);
  const notes = () => readFileSync(join(workspace, "notes.md"), "utf8");

  const shown = await home(thread);
  expect(shown.out).toContain(
    "0 ahead, 0 behind, 1 file not committed\nChanges: 1 file\n  notes.md  changed  +1 -1",
  );
  expect(shown.out).toMatch(/Ways:\n {2}merge: 1 file of the folder\n {2}rebase: closed, forward\n/);
  expect((await home(thread, "--file", "notes.md")).out).toBe("@@ -1 +1 @@\n-one\n+two\n");
  const { digest } = JSON.parse((await home(thread, "--json")).out);
  expect(shown.out).toContain(`--digest ${digest}`);
  expect((await home(thread, "--way", "merge", "--digest", "of-something-else")).code).toBe(codes.refused);
  expect((await home(thread, "--way", "push", "--yes")).code).toBe(codes.usage);
  expect((await home(thread, "--yes")).code).toBe(codes.usage);
  expect([notes(), git("log", "--format=%s")]).toEqual(["one\n", "one\n"]);

  const done = await home(thread, "--way", "merge", "--digest", digest, "--message", "Two");
  expect([notes(), git("log", "-1", "--format=%s")]).toEqual(["two\n", "Two\n"]);
  expect((await window.ledger(thread)).at(-1)).toMatchObject({
    tool: "bring home",
    by: { kind: "person", via: "command line" },
  });
  const id = /^Done: 1 file\. To undo it: --undo (\S+)$/m.exec(done.out)![1]!;
  expect((await home(thread, "--undo", id)).out).toBe("As before again: 1 file.\n");
  expect([notes(), git("log", "-1", "--format=%s")]).toEqual(["one\n", "one\n"]);
});
