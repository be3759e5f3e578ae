/** A thread whose source this host does not have, as after going back to an older build: it can be read and deleted, and nothing runs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("file");

/** Opens the host again after the thread was given to another source. */
function giveAway(threadId: ThreadId): Promise<void> {
  return reopen(() => {
    const database = new Database(join(folders.dataDir, "countersign.db"));
    database.prepare("UPDATE threads SET source = 'elsewhere' WHERE id = ?").run(threadId);
    database.close();
  });
}

it("offers nothing of it and refuses it all the same", async () => {
  const threadId = await console.start();
  await console.run(threadId, "say hello");
  const all = {
    fork: true,
    chooseModel: true,
    chooseAgent: true,
    editArguments: true,
    subAgents: true,
    resume: true,
    export: true,
    messages: true,
  };
  expect(console.threads.get(threadId)?.can).toEqual(all);
  const [message] = await console.items(threadId);
  await giveAway(threadId);
  await console.until(() => console.threads.has(threadId), "the thread is there");
  const none = {
    fork: false,
    chooseModel: false,
    chooseAgent: false,
    editArguments: false,
    subAgents: false,
    export: false,
  };
  expect(console.threads.get(threadId)?.can).toEqual({ ...none, resume: true, messages: true });
  const { client } = console;
  const model = { provider: "demo" as const, model: "demo" };
  const fork = { commandId: newCommandId(), threadId, messageId: message!.id as never };
  await expect(client.call("threads.fork", fork)).rejects.toMatchObject({ code: "conflict" });
  await expect(client.call("threads.setModel", { threadId, model })).rejects.toMatchObject({
    code: "conflict",
  });
  await expect(client.call("threads.export", { threadId })).rejects.toMatchObject({ code: "conflict" });
  expect(await console.run(threadId, "say more")).toMatchObject({
    status: "failed",
    problem: expect.stringContaining("not part of this Countersign"),
  });
  expect((await console.items(threadId))[0]).toEqual(message);
  await client.call("threads.delete", { threadId });
  await console.until(() => !console.threads.has(threadId), "the thread is gone");
});

it("keeps what waits in it, and starts nothing when that is approved", async () => {
  const threadId = await console.start("run touch never");
  const { id } = await console.onePending(threadId);
  await giveAway(threadId);
  const waiting = await console.onePending(threadId);
  expect(waiting.id).toBe(id);
  await console.approve(waiting, 0);
  expect(await console.untilRest(threadId)).toMatchObject({ status: "failed", waiting: 0 });
  expect(existsSync(join(folders.workspace, "never"))).toBe(false);
});
