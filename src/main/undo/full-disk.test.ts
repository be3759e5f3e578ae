/** Undo while a disk is full, wherever it fills: all is as before it, and it can be done once there is room. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { mountSmallDisk } from "../base/testing/small-disk.ts";
import { openUndo, treeOf, turn } from "./testing/test-undo.ts";

const one = turn("one");
const text = (letter: string) => letter.repeat(100_000);
const full = { code: "disk-full" };

/** Leaves so many bytes free on the disk of this folder. */
function fill(folder: string, left: number): () => void {
  const [filler, room] = [join(folder, "filler"), join(folder, "room")];
  writeFileSync(room, Buffer.alloc(left));
  expect(() => writeFileSync(filler, Buffer.alloc(4_000_000))).toThrow(/ENOSPC/);
  rmSync(room);
  return () => rmSync(filler);
}

it("moves nothing where the workspace's disk is full after some of the files, and all of it once there is room", async (test) => {
  const undo = await openUndo();
  onTestFinished(mountSmallDisk(undo.root, "size=2m", test));
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names) undo.put(`in/${name}`, text(name));
  const before = treeOf(undo.root);
  await undo.command(one, "rm in/a in/b in/c && echo short > in/d && mv in/e in/f");
  const after = treeOf(undo.root);
  for (const left of [0, 120_000, 230_000, 340_000]) {
    const makeRoom = fill(undo.root, left);
    await expect(undo.takeBack(one)).rejects.toMatchObject(full);
    makeRoom();
    expect(treeOf(undo.root), `${left} left`).toEqual(after);
    expect(undo.store.underway()).toEqual([]);
  }
  await undo.takeBack(one);
  expect(treeOf(undo.root)).toEqual(before);
});

it("moves nothing where what goes cannot be kept", async (test) => {
  const undo = await openUndo();
  const originals = join(undo.base, "data", "originals");
  onTestFinished(mountSmallDisk(originals, "size=512k", test));
  undo.put("a", text("a"));
  await undo.command(one, `printf '%0200000d' 1 > a && printf '%0200000d' 2 > b`);
  const after = treeOf(undo.root);
  const makeRoom = fill(originals, 250_000);
  await expect(undo.takeBack(one)).rejects.toMatchObject(full);
  expect(treeOf(undo.root)).toEqual(after);
  makeRoom();
  await undo.takeBack(one);
  expect(treeOf(undo.root)).toEqual({ a: expect.stringContaining(" YWFh") });
  expect(readdirSync(originals).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
