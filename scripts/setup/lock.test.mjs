import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withLock } from "./lock.mjs";

let folder;
let file;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-lock-"));
  file = join(folder, "deep", "setup.lock");
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it("lets one at a time in, and all of them in the end", async () => {
  let inside = 0;
  let most = 0;
  const visit = async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all([1, 2, 3].map(() => withLock(file, visit)));
  expect(most).toBe(1);
  expect(existsSync(file)).toBe(false);
});

it("is free again after the work failed", async () => {
  await expect(withLock(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withLock(file, () => "in")).toBe("in");
});

it("takes over from a process that died", async () => {
  await withLock(file, () => {});
  writeFileSync(file, `${hostname()} 999999999 0 0`);
  expect(await withLock(file, () => "in")).toBe("in");
});

it("takes over from a holder elsewhere that stopped touching the file, and from no other", async () => {
  await withLock(file, () => {});
  writeFileSync(file, `elsewhere 1 0 0`);
  const waiting = withLock(file, () => "in");
  await vi.waitUntil(() => process.stderr.write.mock.calls.some(([line]) => line.includes("waiting")));
  expect(existsSync(file)).toBe(true);
  const longAgo = new Date(Date.now() - 120_000);
  utimesSync(file, longAgo, longAgo);
  expect(await waiting).toBe("in");
});
