import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { inOneLook, oncePerLook, rememberedEntries } from "./remembered-entries.ts";

function makeFolder() {
  const root = mkdtempSync(join(tmpdir(), "countersign-remembered-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, "folder");
  mkdirSync(folder);
  const changedAt = () => statSync(folder, { bigint: true }).ctimeNs;
  return {
    root,
    folder,
    /** In a later tick of the disk's clock than what was before. */
    put(name: string) {
      const before = changedAt();
      writeFileSync(join(folder, name), "");
      while (changedAt() === before) chmodSync(folder, 0o755);
    },
    names: () =>
      rememberedEntries(folder)
        .map(({ name }) => name)
        .toSorted(),
    /** Whether two looks in a row are one reading. */
    isKept() {
      const first = rememberedEntries(folder);
      return rememberedEntries(folder) === first;
    },
  };
}

/** As if so much time had gone by. */
function letPass(ms: number): void {
  const now = Date.now() + ms;
  vi.spyOn(Date, "now").mockReturnValue(now);
  onTestFinished(() => void vi.restoreAllMocks());
}

it("reads a folder anew only when something came or went in it, whatever its times were set to", () => {
  const { folder, names, isKept, put } = makeFolder();
  put("a");
  letPass(10_000);
  expect([names(), isKept()]).toEqual([["a"], true]);
  put("b");
  utimesSync(folder, new Date(0), new Date(0));
  expect([names(), isKept()]).toEqual([["a", "b"], true]);
});

it("keeps nothing of one that changed just now: what comes within the same tick would not be told apart", () => {
  const { isKept, put } = makeFolder();
  put("a");
  expect(isKept()).toBe(false);
});

it("knows another folder in the same place, and one that is gone or none", () => {
  const { root, folder, names, put } = makeFolder();
  put("a");
  letPass(10_000);
  expect(names()).toEqual(["a"]);
  renameSync(folder, join(root, "moved"));
  expect(names()).toEqual([]);
  mkdirSync(folder);
  put("c");
  expect(names()).toEqual(["c"]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  expect(names()).toEqual([]);
});

it("tells one answer while one look goes on, and the next one anew", () => {
  const { names, put } = makeFolder();
  put("a");
  const seen = inOneLook(() => {
    const before = names();
    put("b");
    return [before, inOneLook(names)];
  });
  expect([...seen, names()]).toEqual([["a"], ["a"], ["a", "b"]]);
  expect(() =>
    inOneLook(() => {
      names();
      throw new Error("broken");
    }),
  ).toThrow("broken");
  put("c");
  expect(names()).toEqual(["a", "b", "c"]);
});

/** As it is where each folder holds so many entries more, which would take a disk long to make. */
async function importCrowded(more: number) {
  vi.resetModules();
  vi.doMock("node:fs", async (original) => {
    const fs = await original<typeof import("node:fs")>();
    const readdirSync = (folder: string, options: { withFileTypes: true }) => {
      const entries = fs.readdirSync(folder, options);
      return [...entries, ...Array.from({ length: more }, () => entries[0])];
    };
    return { ...fs, readdirSync };
  });
  onTestFinished(() => {
    vi.doUnmock("node:fs");
    vi.resetModules();
  });
  return import("./remembered-entries.ts");
}

it("reads no folder again where a workspace holds more than could be kept, if little of it is asked for", async () => {
  const folders = Array.from({ length: 30 }, makeFolder);
  for (const { put } of folders) put("a");
  letPass(10_000);
  const crowded = await importCrowded(2_000);
  const read = vi.fn((entries: readonly unknown[]) => entries.slice(0, 1));
  const wanted = crowded.fromEntries(read);
  for (let look = 0; look < 3; look += 1)
    for (const { folder } of folders) expect(wanted(folder)).toHaveLength(1);
  expect(read).toHaveBeenCalledTimes(folders.length);
  expect(read.mock.calls.flatMap(([entries]) => entries).length).toBeGreaterThan(50_000);
});

it("goes through a workspace once in a look, and anew in the next", () => {
  const find = vi.fn((workspace: string) => workspace.length);
  const once = oncePerLook(find);
  expect(inOneLook(() => [once("/a"), once("/a"), once("/bc")])).toEqual([2, 2, 3]);
  expect(find).toHaveBeenCalledTimes(2);
  inOneLook(() => once("/a"));
  once("/a");
  once("/a");
  expect(find).toHaveBeenCalledTimes(5);
});
