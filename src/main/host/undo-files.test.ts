/** What a turn did to files is undone from its message on, told in the thread and the record, and brought forth again. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { createTakeBackStore } from "../undo/take-back-store.ts";
import { folders, openHost, running, withHost } from "./testing/host-fixture.ts";

withHost("test");

const at = (file: string) => join(folders.workspace, file);
const read = (file: string) => readFile(at(file), "utf8");
const call = () => running.console.client.call.bind(running.console.client);

async function turnsOf(threadId: ThreadId) {
  const { items } = await call()("threads.page", { threadId, limit: 100 });
  return items.flatMap((item) => (item.kind === "userMessage" ? [item.turnId] : []));
}

it("comes back by what was shown, and goes forth again", async () => {
  await writeFile(at("notes.md"), "one\n");
  const threadId = await running.console.start("run echo two > notes.md; echo new > made.txt");
  await running.console.approveAll(threadId);
  const [turnId] = await turnsOf(threadId);
  const seen = await call()("undo.preview", { threadId, turnId: turnId! });
  expect(seen).toMatchObject({
    back: [
      { path: "made.txt", how: "goes" },
      { path: "notes.md", how: "content" },
    ],
    stays: [],
    partlyKnown: 0,
  });
  await call()("undo.carryOut", { threadId, turnId: turnId!, part: "files", digest: seen.digest });
  expect(await read("notes.md")).toBe("one\n");
  await expect(read("made.txt")).rejects.toMatchObject({ code: "ENOENT" });
  const { items } = await call()("threads.page", { threadId, limit: 100 });
  expect(items.at(-1)).toMatchObject({ kind: "notice", text: expect.stringContaining("2 files") });
  const { entries } = await call()("approvals.ledger", { threadId, limit: 10 });
  expect(entries[0]).toMatchObject({
    tool: "undo files",
    by: { kind: "person" },
    decision: { type: "approve" },
  });
  const { last } = await call()("undo.preview", { threadId, turnId: turnId! });
  await call()("undo.reverse", { threadId, id: last!.id });
  expect(await read("notes.md")).toBe("two\n");
  expect(await read("made.txt")).toBe("new\n");
});

it("is refused where something changed since it was shown", async () => {
  await writeFile(at("notes.md"), "one\n");
  const threadId = await running.console.start("run echo two > notes.md; echo new > made.txt");
  await running.console.approveAll(threadId);
  const [turnId] = await turnsOf(threadId);
  const { digest } = await call()("undo.preview", { threadId, turnId: turnId! });
  await writeFile(at("made.txt"), "a person's own\n");
  await expect(
    call()("undo.carryOut", { threadId, turnId: turnId!, part: "files", digest }),
  ).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await read("notes.md")).toBe("two\n");
});

it("waits for the agent to be at rest", async () => {
  const threadId = await running.console.start("run cat > held.txt");
  const pending = await running.console.onePending(threadId);
  const [turnId] = await turnsOf(threadId);
  await running.console.approve(pending);
  await running.console.untilStatus(threadId, "running");
  const { digest } = await call()("undo.preview", { threadId, turnId: turnId! });
  await expect(
    call()("undo.carryOut", { threadId, turnId: turnId!, part: "files", digest }),
  ).rejects.toMatchObject({
    message: expect.stringContaining("still working"),
  });
});

it("is finished at the next start when the app ended in the middle of it", async () => {
  await writeFile(at("notes.md"), "one\n");
  const threadId = await running.console.start("run echo two > notes.md; echo new > made.txt");
  await running.console.approveAll(threadId);
  const [turnId] = await turnsOf(threadId);
  const { digest } = await call()("undo.preview", { threadId, turnId: turnId! });
  await call()("undo.carryOut", { threadId, turnId: turnId!, part: "files", digest });
  await running.close();
  // As it is on the disk when the first of two files has moved.
  const database = new Database(join(folders.dataDir, "countersign.db"));
  const store = createTakeBackStore(database);
  const { id } = store.last(threadId)!;
  store.setState(id, "forth");
  database.close();
  await writeFile(at("notes.md"), "two\n");
  const again = await openHost(folders);
  onTestFinished(again.close);
  expect(await read("notes.md")).toBe("one\n");
  const { last } = await again.console.client.call("undo.preview", { threadId, turnId: turnId! });
  expect(last?.id).toBe(id);
});
