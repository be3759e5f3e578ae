/** Reading outside the workspace, or a secret inside it, waits for a person, and then shows just that. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { console, folders, withHost } from "./testing/host-fixture.ts";

withHost("file");

beforeAll(async () => {
  await mkdir(join(folders.root, "elsewhere"));
  await writeFile(join(folders.root, "elsewhere", "notes.txt"), "written elsewhere");
  await writeFile(join(folders.workspace, ".env"), "PASSWORD=hunter2");
});

it.each([
  ["a file outside", () => `read ${join(folders.root, "elsewhere", "notes.txt")}`, "written elsewhere"],
  ["a folder outside", () => `ls ${join(folders.root, "elsewhere")}`, "notes.txt"],
  ["a secret inside", () => "read .env", "hunter2"],
])("asks before it shows %s, and shows it when approved", async (_what, line, content) => {
  const threadId = await console.start(line());
  const asked = await console.onePending(threadId);
  expect(asked.risk).toBe("high");
  await console.approveAll(threadId);
  await console.untilStatus(threadId, "done");
  const [call] = await console.toolCalls(threadId);
  expect(call).toMatchObject({ outcome: "ok", result: expect.stringContaining(content) });
});

it("shows nothing of it when rejected", async () => {
  const threadId = await console.start("read .env");
  const { id, digest } = await console.onePending(threadId);
  await console.client.call("approvals.decide", {
    commandId: `reject-${id}` as never,
    items: [{ id, digest }],
    decision: { type: "reject" },
  });
  await console.untilStatus(threadId, "done");
  expect(JSON.stringify(await console.items(threadId))).not.toContain("hunter2");
});

it("is left out of a search, which says how many files it left out, whether it found something or not", async () => {
  await writeFile(join(folders.workspace, "deploy.pem"), "hunter2");
  const search = async (text: string) => {
    const threadId = await console.start(`grep ${text}`);
    await console.untilStatus(threadId, "done");
    const [call] = await console.toolCalls(threadId);
    expect(call).toMatchObject({
      outcome: "ok",
      result: expect.stringContaining("2 files that may hold secrets were left out"),
    });
    return call?.result;
  };
  expect(await search("hunter2")).toMatch(/^No matches found/);
  await writeFile(join(folders.workspace, "notes.txt"), "not hunter2 but like it");
  const found = await search("hunter2");
  expect(found).toContain("not hunter2 but like it");
  expect(found).not.toContain("PASSWORD");
});
