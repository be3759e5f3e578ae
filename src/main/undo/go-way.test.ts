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

describe("a way of which not all could be put back either", () => {
  /** The disk fills once the first file has moved, and lets nothing move any more until it is emptied. */
  async function fillInTheMiddle() {
    const undo = await openUndo();
    for (const path of ["a.txt", "b.txt"]) {
      undo.put(path, "1");
      await undo.tool(turn("one"), { operation: "write", path, content: "2" });
    }
    const { get } = undo.blobs;
    const disk = { asked: 0, isFull: true };
    undo.blobs.get = async (hash) => {
      disk.asked += 1;
      // Two looks whether it is kept, then the first file.
      if (disk.isFull && disk.asked > 3) throw new Error("The disk is full.");
      return get(hash);
    };
    const texts = () => ["a.txt", "b.txt"].map((name) => readFileSync(join(undo.root, name), "utf8"));
    return { undo, disk, texts };
  }

  it("is put back as soon as there is room, and says so", async () => {
    const { undo, disk, texts } = await fillInTheMiddle();
    await expect(undo.takeBack(turn("one"))).rejects.toThrow(
      "The disk is full. Not all that had moved could be put back yet: The disk is full. It is put back as soon as",
    );
    expect(texts().toSorted()).toEqual(["1", "2"]);
    expect(undo.store.underway()).toMatchObject([{ state: "forthRefused" }]);
    disk.isFull = false;
    await expect.poll(() => undo.store.underway()).toEqual([]);
    expect(texts()).toEqual(["2", "2"]);
    expect(undo.told).toEqual([]);
    await undo.takeBack(turn("one"));
    expect(texts()).toEqual(["1", "1"]);
  });

  it("is put back by the next start where the app ended first", async () => {
    const { undo, disk, texts } = await fillInTheMiddle();
    await expect(undo.takeBack(turn("one"))).rejects.toThrow("next start");
    disk.isFull = false;
    expect(await undo.takeBacks.recover()).toMatchObject([{ end: "undone", left: [] }]);
    expect(texts()).toEqual(["2", "2"]);
    expect(undo.store.underway()).toEqual([]);
  });
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
