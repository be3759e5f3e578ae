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
import { inOneLook, rememberedEntries } from "./remembered-entries.ts";

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
