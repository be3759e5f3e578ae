/** What a command changes is in the thread's list of changed files, from the message to the revert. */
import { execFileSync } from "node:child_process";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { folders, running, withHost } from "./testing/host-fixture.ts";

withHost("file");

const at = (file: string) => join(folders.workspace, file);
const changed = (threadId: ThreadId) => running.console.client.call("files.changed", { threadId });

it("is listed with its diff and can be put back", async () => {
  const { console } = running;
  await writeFile(at("notes.md"), "one\ntwo\n");
  const threadId = await console.start("run printf 'one\\n2\\n' > notes.md");
  await console.approveAll(threadId);
  const file = {
    path: "notes.md",
    state: "changed",
    added: 1,
    removed: 1,
    byCommand: true,
    putBack: "possible",
  };
  expect(await changed(threadId)).toEqual({ files: [file], incomplete: false });
  const { client } = console;
  expect(await client.call("files.diff", { threadId, path: "notes.md" })).toMatchObject({
    before: "one\ntwo\n",
    after: "one\n2\n",
  });
  await client.call("files.revert", { threadId, path: "notes.md" });
  expect(await readFile(at("notes.md"), "utf8")).toBe("one\ntwo\n");
  expect((await changed(threadId)).files).toEqual([]);
});

it("is not put back over what a person did afterwards", async () => {
  const { console } = running;
  const threadId = await console.start("run echo agent > shared.md");
  await console.approveAll(threadId);
  await writeFile(at("shared.md"), "person\n");
  await expect(console.client.call("files.revert", { threadId, path: "shared.md" })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await readFile(at("shared.md"), "utf8")).toBe("person\n");
});

it("is nothing for a command that only reads, so what a person does meanwhile is theirs", async () => {
  const { console } = running;
  execFileSync("mkfifo", [at("pipe")]);
  const threadId = await console.start("run cat pipe");
  // Opening the pipe waits for the command to open its other end.
  const pipe = await open(at("pipe"), "w");
  await writeFile(at("person.md"), "one\n");
  await pipe.writeFile("done\n");
  await pipe.close();
  await console.untilStatus(threadId, "done");
  expect(await changed(threadId)).toEqual({ files: [], incomplete: false });
});
