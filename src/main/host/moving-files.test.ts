/** A tool that moves files, from the message to the list of changed files: asked, bound to both places, done once. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { console, folders, roomyMs, withHost } from "./testing/host-fixture.ts";

withHost("file");

const at = (file: string) => join(folders.workspace, file);
const textOf = (file: string) => readFile(at(file), "utf8");

it("waits for a person who sees both places, moves the file, and puts it back", async () => {
  await writeFile(at("old"), "kept\n");
  const threadId = await console.start("move old new/place");
  const asked = await console.onePending(threadId);
  expect(asked).toMatchObject({
    tool: "move_file",
    subject: { kind: "file", operation: "move", path: "old", movedTo: "new/place" },
    shape: "move_file old new/place",
    risk: "medium",
  });
  const detail = await console.client.call("approvals.get", { id: asked.id });
  expect(detail.diff).toBeUndefined();
  expect(existsSync(at("new"))).toBe(false);
  await console.approve(asked);
  await console.untilStatus(threadId, "done");
  expect([existsSync(at("old")), await textOf("new/place")]).toEqual([false, "kept\n"]);
  const [call] = await console.toolCalls(threadId);
  expect(call).toMatchObject({
    outcome: "ok",
    result: "Moved old to new/place.",
    receipt: { path: "new/place" },
  });
  expect(call?.receipt).not.toHaveProperty("added");
  const [line] = await console.ledger(threadId);
  expect(line).toMatchObject({ tool: "move_file", receipt: { path: "new/place" }, by: { kind: "person" } });
  const { files } = await console.client.call("files.changed", { threadId });
  expect(files).toMatchObject([{ path: "new/place", movedFrom: "old", state: "moved" }]);
  await console.client.call("files.revert", { threadId, path: "new/place" });
  expect([await textOf("old"), existsSync(at("new/place"))]).toEqual(["kept\n", false]);
});

it("tells the agent at once that something is there, and asks nobody", async () => {
  await writeFile(at("one"), "one");
  await writeFile(at("two"), "two");
  const threadId = await console.start("move one two");
  await console.untilStatus(threadId, "done");
  const [call] = await console.toolCalls(threadId);
  expect(call).toMatchObject({ outcome: "failed", result: expect.stringContaining("two is there already") });
  expect([await textOf("one"), await textOf("two"), await console.ledger(threadId)]).toEqual([
    "one",
    "two",
    [],
  ]);
});

it.each([
  ["the file changed", "from-changed", "to-changed", () => writeFile(at("from-changed"), "other")],
  ["something is at the new place", "from-free", "to-taken", () => writeFile(at("to-taken"), "theirs")],
])("does nothing when %s between the yes and the move", async (_what, from, to, meanwhile) => {
  await writeFile(at(from), "mine");
  const threadId = await console.start(`move ${from} ${to}`);
  const asked = await console.onePending(threadId);
  await console.approve(asked, roomyMs);
  await meanwhile();
  await console.until(
    () =>
      console.pending(threadId).some(({ id }) => id !== asked.id) ||
      console.threads.get(threadId)?.status === "done",
    "it is asked again, or told that it cannot be made",
  );
  const now = [existsSync(at(from)) && (await textOf(from)), existsSync(at(to)) && (await textOf(to))];
  expect(now).toEqual(from === "from-changed" ? ["other", false] : ["mine", "theirs"]);
  await console.approveAll(threadId);
  const lines = await console.ledger(threadId);
  expect(lines.filter(({ receipt }) => receipt?.path).length).toBe(from === "from-changed" ? 1 : 0);
});

it("carries a yes outside by neither place when a link comes in between", async () => {
  await mkdir(at("way"));
  await writeFile(at("way/file"), "one");
  await writeFile(at("file"), "two");
  const outside = join(folders.root, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "file"), "not to be moved");
  const threadId = await console.start("move way/file taken\nmove file way/given");
  await console.until(() => console.pending(threadId).length === 2, "both ask");
  const both = console.pending(threadId);
  await rename(at("way"), at("way-before"));
  await symlink(outside, at("way"));
  for (const asked of both) expect(await console.approve(asked)).toMatchObject({ ok: false });
  for (const asked of console.pending(threadId)) await console.decide(asked, { type: "reject" });
  await console.untilStatus(threadId, "done");
  expect([await readFile(join(outside, "file"), "utf8"), existsSync(join(outside, "given"))]).toEqual([
    "not to be moved",
    false,
  ]);
});
