/** The log of a command: when it asks to slow down, and that every byte arrives all the same. */

import { pbkdf2 } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { logPathOf, openCommandLog } from "./command-log.ts";

const noted = () => undefined;

it("asks to stop while the disk lags behind, tells when to go on, and keeps every byte", async () => {
  const dir = mkdtempSync(join(tmpdir(), "countersign-log-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const path = join(dir, "a.log");
  const log = openCommandLog({ path, maxBytes: 1e9, onDrain: resolve });
  const half = Buffer.alloc(40_000, "x");
  expect([log.write(half, noted), log.write(half, noted)]).toEqual([true, false]);
  await drained;
  log.write(Buffer.from("END"), noted);
  await log.close();
  expect(readFileSync(path, "utf8")).toBe(`${"x".repeat(80_000)}END`);
});

it("says what it has in the order of writing, also past its limit, and never before it is in the file", async () => {
  const dir = mkdtempSync(join(tmpdir(), "countersign-log-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, "a.log");
  const log = openCommandLog({ path, maxBytes: 6, onDrain: noted });
  // What the system does for files waits behind this, as on a busy machine.
  for (let job = 0; job < 8; job += 1) pbkdf2("", "", 200_000, 8, "sha256", noted);
  const told: [string, string][] = [];
  for (const text of ["one", "two", "three", "four"])
    log.write(Buffer.from(text), () => told.push([text, readFileSync(path, "utf8").slice(0, 6)]));
  await log.close();
  expect(told.map(([text]) => text)).toEqual(["one", "two", "three", "four"]);
  expect(told[0]![1]).toMatch(/^one/);
  for (const [, kept] of told.slice(1)) expect(kept).toBe("onetwo");
});

it("cannot be led out of its folder by an id", () => {
  expect(logPathOf("/logs", "../../etc/passwd")).toBe(join("/logs", ".._.._etc_passwd.log"));
});
