/** What a thread changed, shown and taken back on a real disk, also after the process ended. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openChangeFile } from "./change-store.ts";
import { createChangeTracker } from "./change-tracker.ts";
import { StaleFileError } from "./file-error.ts";
import { createOriginalBlobs } from "./original-blobs.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

async function setUp() {
  const workspace = makeWorkspace();
  const data = join(workspace.base, "data");
  const index = join(workspace.base, "changes.jsonl");
  const open = async () => createChangeTracker(createOriginalBlobs(data), await openChangeFile(index));
  const tracker = await open();
  const files = createWorkspaceFiles(workspace.root);
  const how = { observer: tracker.observe("t1", workspace.root) };
  return { ...workspace, data, index, open, tracker, files, how };
}

describe("files changed in a thread", () => {
  it("are listed against what they were first, however often they changed since", async () => {
    const { tracker, files, how, put } = await setUp();
    put("a.txt", "one\ntwo\n");
    put("gone.txt", "bye\n");
    put("same.txt", "same\n");
    await files.write("a.txt", "one\n", how);
    await files.write("a.txt", "one\n2\n3\n", how);
    await files.write("new/b.txt", "b\n", how);
    await files.delete("gone.txt", how);
    await files.write("same.txt", "other\n", how);
    await files.write("same.txt", "same\n", how);
    const byTools = { byCommand: false, putBack: "possible" };
    expect(await tracker.list("t1")).toEqual([
      { path: "a.txt", state: "changed", added: 2, removed: 1, ...byTools },
      { path: "gone.txt", state: "deleted", added: 0, removed: 1, ...byTools },
      { path: "new/b.txt", state: "added", added: 1, removed: 0, ...byTools },
    ]);
    expect(await tracker.diff("t1", "a.txt")).toEqual({
      path: "a.txt",
      before: "one\ntwo\n",
      after: "one\n2\n3\n",
      tooLarge: false,
    });
    expect(await tracker.list("t2")).toEqual([]);
    await expect(tracker.diff("t1", "never.txt")).rejects.toMatchObject({ code: "not-found" });
  });

  it("are not read through a link that has their place by now, or that of their folder", async () => {
    const { tracker, files, how, root, outside } = await setUp();
    for (const path of ["a.txt", "in/secret.txt"]) {
      await files.write(path, "one\n", how);
      rmSync(join(root, path.split("/")[0]!), { recursive: true });
    }
    symlinkSync(join(outside, "secret.txt"), join(root, "a.txt"));
    symlinkSync(outside, join(root, "in"));
    const list = await tracker.list("t1");
    expect(list).toMatchObject(["a.txt", "in/secret.txt"].map((path) => ({ path, putBack: "unreadable" })));
    for (const { path } of list) {
      expect(await tracker.diff("t1", path)).toMatchObject({ path, after: null });
      await expect(tracker.revert("t1", path)).rejects.toThrow("cannot be read");
    }
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toContain("TOP SECRET");
  });

  it("are still known after a restart, a torn last line included", async () => {
    const { open, index, files, how, put } = await setUp();
    put("a.txt", "before\n");
    await files.write("a.txt", "after\n", how);
    appendFileSync(index, '{"put":{"threadId":"t1","pa');
    const again = await open();
    expect(await again.diff("t1", "a.txt")).toMatchObject({ before: "before\n", after: "after\n" });
    await again.revert("t1", "a.txt");
    expect(await (await open()).list("t1")).toEqual([]);
  });

  it("refuse to start on an index that is damaged in the middle", async () => {
    const { open, index } = await setUp();
    writeFileSync(index, 'nonsense\n{"delete":{"threadId":"t","path":"p"}}\n');
    await expect(open()).rejects.toThrow(/line 1/);
  });
});

describe("revert", () => {
  it("brings back a changed file, a deleted one, a file of a deleted folder, and removes an added one", async () => {
    const { tracker, files, how, put, root } = await setUp();
    const script = put("run.sh", "original");
    put("gone.txt", "bye");
    put("dir/deep/x.bin", Buffer.from([1, 0, 2]));
    await files.write("run.sh", "changed", how);
    await files.delete("gone.txt", how);
    await files.delete("dir", how);
    await files.write("new.txt", "new", how);
    for (const path of ["run.sh", "gone.txt", "dir/deep/x.bin", "new.txt"]) await tracker.revert("t1", path);
    expect(readFileSync(script, "utf8")).toBe("original");
    expect(readFileSync(join(root, "gone.txt"), "utf8")).toBe("bye");
    expect([...readFileSync(join(root, "dir/deep/x.bin"))]).toEqual([1, 0, 2]);
    expect(existsSync(join(root, "new.txt"))).toBe(false);
    expect(await tracker.list("t1")).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("brings back the mode of a file", async () => {
    const { tracker, files, how, put } = await setUp();
    const script = put("run.sh", "original");
    chmodSync(script, 0o751);
    await files.delete("run.sh", how);
    await tracker.revert("t1", "run.sh");
    expect(statSync(script).mode & 0o777).toBe(0o751);
  });

  it("is refused when somebody else changed the file after the thread, and keeps their work", async () => {
    const { tracker, files, how, put } = await setUp();
    const path = put("a.txt", "original");
    await files.write("a.txt", "agent", how);
    writeFileSync(path, "person");
    expect(await tracker.list("t1")).toMatchObject([{ putBack: "changed-since" }]);
    await expect(tracker.revert("t1", "a.txt")).rejects.toBeInstanceOf(StaleFileError);
    expect(readFileSync(path, "utf8")).toBe("person");
    unlinkSync(path);
    await expect(tracker.revert("t1", "a.txt")).rejects.toBeInstanceOf(StaleFileError);
  });

  it("is refused when somebody else worked between two changes of the thread, unless they only took the first back", async () => {
    const { tracker, files, how, put, root } = await setUp();
    put("a.txt", "original");
    put("b.txt", "original");
    for (const path of ["a.txt", "b.txt"]) await files.write(path, "agent", how);
    put("a.txt", "agent and person");
    put("b.txt", "original");
    for (const path of ["a.txt", "b.txt"]) await files.write(path, "agent again", how);
    expect(await tracker.list("t1")).toMatchObject([{ putBack: "changed-since" }, { putBack: "possible" }]);
    await expect(tracker.revert("t1", "a.txt")).rejects.toBeInstanceOf(StaleFileError);
    await tracker.revert("t1", "b.txt");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("agent again");
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("original");
  });

  it("says so when the original was lost, and lists on when the whole workspace is gone", async () => {
    const { tracker, files, how, put, data, root } = await setUp();
    put("a.txt", "original");
    await files.write("a.txt", "agent", how);
    rmSync(data, { recursive: true });
    await expect(tracker.revert("t1", "a.txt")).rejects.toThrow(/was not kept/);
    rmSync(root, { recursive: true });
    expect(await tracker.list("t1")).toMatchObject([{ state: "deleted" }]);
  });
});

it("keeps one blob for equal originals and drops it with the last thread that needs it", async () => {
  const { tracker, files, put, data, root } = await setUp();
  put("a.txt", "equal");
  put("b.txt", "equal");
  await files.write("a.txt", "1", { observer: tracker.observe("t1", root) });
  await files.write("b.txt", "2", { observer: tracker.observe("t2", root) });
  const blobs = () =>
    readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  expect(blobs()).toBe(1);
  await tracker.forget("t1");
  expect(blobs()).toBe(1);
  await tracker.forget("t2");
  expect(blobs()).toBe(0);
});
