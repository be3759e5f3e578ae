/** `threads home` against a running console, with a real repository and a thread in a worktree of it. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isLongRun } from "../base/testing/long-run.ts";
import { addressFile } from "../console/command-line-door.ts";
import { folders, console as window, withHost } from "../host/testing/host-fixture.ts";
import { consoleExitCodes as codes } from "./console-options.ts";
import { Sink } from "./testing/sink.ts";
import { runThreads } from "./threads.ts";

withHost("file");

async function home(...words: string[]) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const code = await runThreads(["home", "--data-dir", folders.dataDir, ...words], { stdout, stderr });
  return { code, out: stdout.text, err: stderr.text };
}

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], {
    cwd: folders.workspace,
    encoding: "utf8",
  });
const read = (folder: string) => readFileSync(join(folder, "notes.md"), "utf8");

/** A repository with one file, and a thread that wrote it in a worktree of its own. */
async function threadAtWork(content: string, command: string) {
  const { workspace, dataDir } = folders;
  git("init", "-q", "-b", "main");
  writeFileSync(join(workspace, "notes.md"), content);
  git("add", "-A");
  git("commit", "-qm", "one");
  await window.trust(workspace);
  await window.client.call("settings.update", { commandLine: true });
  await window.until(() => existsSync(addressFile(dataDir)), "the door is open");
  const thread = await window.start();
  await window.client.call("threads.chooseWorktree", { threadId: thread, wanted: true });
  await window.send(thread, `run ${command}`);
  await window.approveAll(thread);
  return thread;
}

it("shows what a worktree would bring home, brings just that, and undoes it; the record says from where", async () => {
  const { workspace } = folders;
  const thread = await threadAtWork("one\n", "echo two > notes.md");
  const notes = () => read(workspace);

  const shown = await home(thread);
  expect(shown.out).toContain(
    "0 ahead, 0 behind, 1 file not committed\nChanges: 1 file\n  notes.md  changed  +1 -1",
  );
  expect(shown.out).toContain("not signed, and none of your git's hooks run");
  expect(shown.out).toMatch(/Ways:\n {2}merge: 1 file of the folder\n {2}rebase: closed, forward\n/);
  expect((await home(thread, "--file", "notes.md")).out).toContain("@@ -1 +1 @@ 1\n-one\n+two\n");
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

it.runIf(isLongRun)(
  "puts one change of a file back by what was shown, and merges a conflict as it was answered",
  async () => {
    const { workspace } = folders;
    const lines = Array.from({ length: 20 }, (_, at) => `${at}\n`);
    const thread = await threadAtWork(
      lines.join(""),
      "sed -e s/^1$/one/ -e s/^19$/last/ notes.md > new && mv new notes.md",
    );
    const tree = window.threads.get(thread)!.workspace;
    expect(read(tree)).toContain("last\n");

    const shown = await home(thread, "--file", "notes.md");
    const digest = / --digest (\S+)$/m.exec(shown.out)![1]!;
    const second = ["--file", "notes.md", "--put-back", "2"];
    expect((await home(thread, ...second)).out).toBe(shown.out);
    expect((await home(thread, ...second, "--digest", "of-something-else")).code).toBe(codes.refused);
    expect((await home(thread, "--file", "notes.md", "--put-back", "0", "--yes")).code).toBe(codes.usage);
    expect((await home(thread, "--file", "notes.md", "--yes")).code).toBe(codes.usage);
    expect((await home(thread, ...second, "--digest", digest)).out).toMatch(
      /^Put back: 1 file\. .*--undo \S+\n$/,
    );
    expect(read(tree)).toBe(lines.join("").replace("1\n", "one\n"));

    writeFileSync(join(workspace, "notes.md"), lines.join("").replace("1\n", "eins\n"));
    git("commit", "-qam", "two");
    const take = ["--take", "thread=notes.md"];
    expect((await home(thread)).out).toContain("Conflicts: 1 file\n  notes.md  no answer\n");
    expect((await home(thread, "--conflict", "notes.md")).out).toMatch(
      /eins\n[\s\S]*The thread's version:\n {2}0\n {2}one\n/,
    );
    expect((await home(thread, "--take", "mine=notes.md")).code).toBe(codes.usage);
    expect((await home(thread, "--way", "merge", "--yes")).code).toBe(codes.refused);
    const answered = await home(thread, ...take);
    expect(answered.out).toContain("notes.md  the thread's version\n");
    const all = ["--way", "merge", "--digest", / --digest (\S+)$/m.exec(answered.out)![1]!];
    // Bound to its answers.
    expect((await home(thread, ...all, "--take", "folder=notes.md")).code).toBe(codes.refused);
    expect((await home(thread, ...all, ...take)).code).toBe(codes.done);
    expect(read(workspace)).toBe(read(tree));
  },
);
