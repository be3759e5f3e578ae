/** The file of changed files says the same however often it was opened, and names the line in which it is damaged. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { limitFileSize } from "../base/testing/small-disk.ts";
import { classifyStorageError } from "../storage/storage-error.ts";
import { type ChangeRecord, openChangeFile } from "./change-store.ts";

let base: string;
let file: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "change-store-"));
  file = join(base, "changes.jsonl");
});
afterEach(() => rmSync(base, { recursive: true }));

const record = (path: string, part: Partial<ChangeRecord> = {}): ChangeRecord => ({
  ...{ threadId: "one", path, root: "/work", originalHash: "a", kept: true, mode: null, currentHash: "b" },
  ...part,
});

it("keeps records and marks over starts, and no line of what was replaced or taken back", async () => {
  const first = await openChangeFile(file);
  await first.put(record("/work/a"), record("/work/b"));
  await first.put(record("/work/a", { currentHash: "c" }));
  await first.delete("one", "/work/b");
  await first.setIncomplete("one", true);
  await first.setIncomplete("two", true);
  await first.setIncomplete("two", false);
  // What one start wrote anew is what the next one reads.
  await openChangeFile(file);
  expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(2);
  const third = await openChangeFile(file);
  expect(await third.list("one")).toEqual([record("/work/a", { currentHash: "c" })]);
  expect([await third.isIncomplete("one"), await third.isIncomplete("two")]).toEqual([true, false]);
  expect([await third.uses("a"), await third.uses("c"), await third.list("two")]).toEqual([true, false, []]);
});

it("is read without its last line where that was torn, and not at all where another is", async () => {
  const store = await openChangeFile(file);
  await store.put(record("/work/a"));
  appendFileSync(file, '{"put":{"thr');
  expect(await (await openChangeFile(file)).list("one")).toHaveLength(1);
  writeFileSync(file, `{"put":{}}\n${readFileSync(file, "utf8")}`);
  await expect(openChangeFile(file)).rejects.toThrow(`${file} is damaged at line 1. Move it away`);
});

it("loses nothing to a limit that cuts a line off in its middle, and goes on behind it", async (test) => {
  const store = await openChangeFile(file);
  await store.put(record("/work/a"));
  limitFileSize(`${statSync(file).size + 20}`, test);
  const lift = () => limitFileSize("unlimited", test);
  test.onTestFinished(lift);
  const refused = await store.put(record("/work/lost")).catch((error: unknown) => error);
  expect(statSync(file).size).toBeGreaterThan(readFileSync(file, "utf8").lastIndexOf("\n") + 1);
  expect(classifyStorageError(refused)).toMatchObject({
    ...{ code: "disk-full", message: expect.stringContaining("may not grow any further") },
  });
  lift();
  await Promise.all([store.put(record("/work/b")), store.setIncomplete("one", true)]);
  const again = await openChangeFile(file);
  expect((await again.list("one")).map(({ path }) => path)).toEqual(["/work/a", "/work/b"]);
  expect(await again.isIncomplete("one")).toBe(true);
});
