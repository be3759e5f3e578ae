/** What a thread moved stands at its new place, says where it was, and goes back there with all it held. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openChangeFile } from "./change-store.ts";
import { createChangeTracker } from "./change-tracker.ts";
import { createOriginalBlobs } from "./original-blobs.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

async function setUp(maxFileBytes?: number) {
  const workspace = makeWorkspace();
  const index = join(workspace.base, "changes.jsonl");
  const blobs = createOriginalBlobs(join(workspace.base, "data"));
  const open = async () => createChangeTracker(blobs, await openChangeFile(index));
  const tracker = await open();
  const files = createWorkspaceFiles(workspace.root, maxFileBytes === undefined ? {} : { maxFileBytes });
  const how = { observer: tracker.observe("t1", workspace.root) };
  const at = (path: string) => join(workspace.root, path);
  return {
    ...workspace,
    open,
    tracker,
    files,
    how,
    at,
    text: (path: string) => readFileSync(at(path), "utf8"),
  };
}

const moved = { state: "moved", byCommand: false, putBack: "possible" };

describe("a file that a thread moved", () => {
  it("is one line of the list, also after a restart, and goes back by one step", async () => {
    const { tracker, open, files, how, put, root, text } = await setUp();
    const inode = statSync(put("a.txt", "one\n")).ino;
    await files.move("a.txt", "new/b.txt", how);
    const line = { path: "new/b.txt", movedFrom: "a.txt", added: 0, removed: 0, ...moved };
    expect(await tracker.list("t1")).toEqual([line]);
    const again = await open();
    expect(await again.list("t1")).toEqual([line]);
    await again.revert("t1", "new/b.txt");
    expect([text("a.txt"), statSync(join(root, "a.txt")).ino]).toEqual(["one\n", inode]);
    expect(existsSync(join(root, "new/b.txt"))).toBe(false);
    expect(await again.list("t1")).toEqual([]);
  });

  it("is compared with what it was at its first place, however often it was moved and changed", async () => {
    const { tracker, files, how, put, root, text } = await setUp();
    put("a.txt", "one\ntwo\n");
    await files.move("a.txt", "b.txt", how);
    await files.edit("b.txt", { oldString: "two", newString: "2" }, how);
    await files.move("b.txt", "c.txt", how);
    expect(await tracker.list("t1")).toEqual([
      { path: "c.txt", movedFrom: "a.txt", added: 1, removed: 1, ...moved },
    ]);
    expect(await tracker.diff("t1", "c.txt")).toMatchObject({ before: "one\ntwo\n", after: "one\n2\n" });
    await tracker.revert("t1", "c.txt");
    expect([text("a.txt"), readdirSync(root), await tracker.list("t1")]).toEqual([
      "one\ntwo\n",
      ["a.txt"],
      [],
    ]);
  });

  it("was not moved when it is where it was, and one the thread made itself is new", async () => {
    const { tracker, files, how, put } = await setUp();
    put("a.txt", "one\n");
    await files.move("a.txt", "b.txt", how);
    await files.move("b.txt", "a.txt", how);
    expect(await tracker.list("t1")).toEqual([]);
    await files.write("mine.txt", "x\n", how);
    await files.move("mine.txt", "ours.txt", how);
    expect(await tracker.list("t1")).toMatchObject([{ path: "ours.txt", state: "added" }]);
    await tracker.revert("t1", "ours.txt");
    expect(await tracker.list("t1")).toEqual([]);
  });

  it("stays where it is when somebody else changed it, or put something at its old place", async () => {
    const { tracker, files, how, put, at, text } = await setUp();
    put("a.txt", "one\n");
    await files.move("a.txt", "b.txt", how);
    writeFileSync(at("b.txt"), "theirs\n");
    expect(await tracker.list("t1")).toMatchObject([{ path: "b.txt", putBack: "changed-since" }]);
    await expect(tracker.revert("t1", "b.txt")).rejects.toMatchObject({ code: "stale" });
    writeFileSync(at("b.txt"), "one\n");
    writeFileSync(at("a.txt"), "theirs\n");
    expect(await tracker.list("t1")).toMatchObject([
      { path: "a.txt", state: "changed", putBack: "changed-since" },
      { path: "b.txt", state: "added" },
    ]);
    expect([text("a.txt"), text("b.txt")]).toEqual(["theirs\n", "one\n"]);
  });

  it("whose content was not kept is never deleted: it goes back as it is, or not at all", async () => {
    const { tracker, files, how, put, at, text } = await setUp(4);
    put("large.txt", "too large to keep");
    await files.move("large.txt", "b.txt", how);
    writeFileSync(at("large.txt"), "");
    expect(await tracker.list("t1")).toMatchObject([
      { path: "b.txt", state: "added", putBack: "not-kept" },
      { path: "large.txt", putBack: "not-kept" },
    ]);
    await expect(tracker.revert("t1", "b.txt")).rejects.toThrow(/not kept/);
    expect(text("b.txt")).toBe("too large to keep");
  });

  it("whose content was not kept goes back by its name", async () => {
    const { tracker, files, how, put, text, root } = await setUp(4);
    put("large.txt", "too large to keep");
    await files.move("large.txt", "b.txt", how);
    expect(await tracker.list("t1")).toMatchObject([{ path: "b.txt", ...moved }]);
    await tracker.revert("t1", "b.txt");
    expect([text("large.txt"), readdirSync(root)]).toEqual(["too large to keep", ["large.txt"]]);
  });
});
