/** A host that dies in the middle of a way back, as the next start finds it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openUndo, person, threadId, turn } from "./testing/test-undo.ts";

it("leaves nothing for a start to finish where a full database refused its end, and that it was refused", async () => {
  const undo = await openUndo();
  undo.put("a.txt", "1");
  await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "2" });
  const { remove } = undo.store;
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  let isFull = true;
  const refuse = () => {
    if (isFull) throw full;
  };
  undo.journal.takeBack = refuse;
  undo.store.remove = (id) => {
    refuse();
    remove(id);
  };
  await expect(undo.takeBack(turn("one"))).rejects.toBe(full);
  expect(readFileSync(join(undo.root, "a.txt"), "utf8")).toBe("2");
  expect(undo.store.underway()).toHaveLength(1);
  isFull = false;
  await expect.poll(() => undo.store.underway()).toEqual([]);
  expect(await undo.takeBacks.recover()).toEqual([]);
  expect(readFileSync(join(undo.root, "a.txt"), "utf8")).toBe("2");
});

describe("an end in the middle", () => {
  const names = ["a.txt", "b.txt", "c.txt"];

  /** As a host leaves it that dies after so many files of a way back. */
  async function cutAfter(count: number) {
    const undo = await openUndo();
    undo.put("a.txt", "1");
    undo.put("b.txt", "1");
    for (const path of names) await undo.tool(turn("one"), { operation: "write", path, content: "2" });
    const { back: files } = await undo.takeBacks.preview(undo.placeOf(turn("one")));
    for (const { from } of files) if (from) await undo.blobs.put(Buffer.from("2"));
    const what = { root: undo.root, turnId: turn("one"), firstStep: 1, lastStep: 3, files };
    undo.store.add({ id: "cut", threadId, at: 1, state: "forth", what });
    for (const { path, to } of files.slice(0, count)) to ? writeFileSync(path, "1") : rmSync(path);
    return undo;
  }

  it.each([0, 1, 2, 3])("after %i files is finished at the next start", async (count) => {
    const undo = await cutAfter(count);
    expect(await undo.takeBacks.recover()).toMatchObject([{ end: "finished" }]);
    expect(names.map((name) => existsSync(join(undo.root, name)))).toEqual([true, true, false]);
    expect(readFileSync(join(undo.root, "b.txt"), "utf8")).toBe("1");
    await undo.takeBacks.reverse(threadId, "cut", person);
    expect(names.map((name) => readFileSync(join(undo.root, name), "utf8"))).toEqual(["2", "2", "2"]);
  });

  it("is undone where a person changed a file since, which stays theirs", async () => {
    const undo = await cutAfter(1);
    undo.put("c.txt", "a person's own");
    expect(await undo.takeBacks.recover()).toMatchObject([
      { end: "undone", left: [join(undo.root, "c.txt")] },
    ]);
    expect(names.map((name) => readFileSync(join(undo.root, name), "utf8"))).toEqual([
      "2",
      "2",
      "a person's own",
    ]);
    expect(undo.store.underway()).toEqual([]);
  });
});
