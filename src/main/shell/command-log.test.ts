/** The log of a command: when it asks to slow down, and that every byte arrives all the same. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { logPathOf, openCommandLog } from "./command-log.ts";

it("asks to stop while the disk lags behind, tells when to go on, and keeps every byte", async () => {
  const dir = mkdtempSync(join(tmpdir(), "countersign-log-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const path = join(dir, "a.log");
  const log = openCommandLog({ path, maxBytes: 1e9, onDrain: resolve });
  const half = Buffer.alloc(600_000, "x");
  expect([log.write(half), log.write(half)]).toEqual([true, false]);
  await drained;
  log.write(Buffer.from("END"));
  await log.close();
  expect(readFileSync(path, "utf8")).toBe(`${"x".repeat(1_200_000)}END`);
});

it("cannot be led out of its folder by an id", () => {
  expect(logPathOf("/logs", "../../etc/passwd")).toBe(join("/logs", ".._.._etc_passwd.log"));
});
