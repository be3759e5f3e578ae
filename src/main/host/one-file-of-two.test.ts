/** Two threads that write one file are told while the command still runs that wrote it second, by real commands in real repositories. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

withHost("test");

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], { cwd: folders.workspace });

/** Lets a command that waits for it end; outside of the workspace, where no look finds it. */
const gate = () => join(folders.root, "gate");
const thenWait = () => `until [ -e ${gate()} ]; do sleep 0.05; done`;

beforeEach(async () => {
  writeFileSync(join(folders.workspace, "x.md"), "one\n");
  writeFileSync(join(folders.workspace, "z.md"), "one\n");
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "one");
  await console.trust(folders.workspace);
});

/** Begins a command that says by a file that it got as far as that, and goes on. */
async function begin(line: string, ownTree = false): Promise<ThreadId> {
  const id = await console.start();
  if (ownTree) await console.client.call("threads.chooseWorktree", { threadId: id, wanted: true });
  const wrote = join(folders.root, `wrote-${id}`);
  await console.send(id, `run ${line} && touch ${wrote} && ${thenWait()}`);
  await console.approve(await console.onePending(id));
  await console.until(() => existsSync(wrote), `${line} was run`);
  return id;
}

/** Resolves with the first line that the thread was told of another one. */
async function untilTold(threadId: ThreadId): Promise<string> {
  for await (const item of console.client.watch("threads.watch", { threadId, since: 0 }))
    for (const { data } of item.kind === "events" ? item.events : [])
      if (data.type === "notice.added" && data.text.startsWith("The thread")) return data.text;
  throw new Error("The events ended.");
}

const stillRun = (...ids: ThreadId[]) => ids.map((id) => console.threads.get(id)?.status);

async function end(...ids: ThreadId[]): Promise<void> {
  writeFileSync(gate(), "");
  for (const id of ids) await console.untilStatus(id, "done");
}

it("in one folder, where the first still runs as well, and once for each file", async () => {
  const first = await begin("echo two > x.md");
  const second = await begin("echo three > x.md");
  const told = await Promise.all([first, second].map(untilTold));
  expect(stillRun(first, second)).toEqual(["running", "running"]);
  for (const line of told) expect(line).toContain("and x.md changed more than once");
  await end(first, second);
  expect(await console.notices(first)).toHaveLength(1);
});

it("in one folder, where a tool of the second wrote what a command of the first did that still runs", async () => {
  const first = await begin("echo two > x.md");
  const second = await console.start("write x.md three");
  await console.approve(await console.onePending(second));
  await console.untilStatus(second, "done");
  expect(await untilTold(first)).toContain("changed x.md too");
  expect(stillRun(first)).toEqual(["running"]);
  await end(first);
});

it("in two worktrees of one repository, before either is merged", async () => {
  const first = await begin("echo two > x.md", true);
  const second = await begin("echo one > z.md && echo three > x.md", true);
  const told = await Promise.all([first, second].map(untilTold));
  expect(stillRun(first, second)).toEqual(["running", "running"]);
  for (const line of told) expect(line).toMatch(/changed x\.md too, on its branch countersign\/.*merged\.$/);
  await end(first, second);
});
