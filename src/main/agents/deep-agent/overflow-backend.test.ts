import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { runInContext } from "./graph-run.ts";
import { OverflowBackend } from "./overflow-backend.ts";

let folder: string;
let backend: OverflowBackend;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-overflow-"));
  backend = new OverflowBackend((threadId) => join(folder, threadId));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inThread = <T>(threadId: string, act: () => Promise<T> | T) =>
  runInContext({ threadId: threadId as ThreadId } as RunContext, async () => act());

describe("what was too large for a thread's messages", () => {
  it("is read, found and changed by that thread alone, although both share the backend", async () => {
    await Promise.all([
      inThread("one", () => backend.write("/result.txt", "secret of one")),
      inThread("two", () => backend.write("/result.txt", "secret of two")),
    ]);
    const read = (thread: string) =>
      inThread(thread, async () => (await backend.read("/result.txt")).content);
    expect([await read("one"), await read("two")]).toEqual(["secret of one", "secret of two"]);
    const found = await inThread("two", () => backend.grep("secret"));
    expect(found.matches?.map(({ text }) => text)).toEqual(["secret of two"]);
    await inThread("two", () => backend.edit("/result.txt", "two", "both"));
    expect(await read("one")).toBe("secret of one");
  });

  it("stays in the thread's folder", async () => {
    await inThread("one", () => backend.write("/result.txt", "secret of one"));
    const outside = await inThread("two", () => backend.read("/../one/result.txt"));
    expect(outside.content).toBeUndefined();
    expect(outside.error).toContain("Path traversal not allowed");
  });

  it("belongs to no one outside of a run", () => {
    expect(() => backend.read("/result.txt")).toThrow("belongs to no run");
  });
});
