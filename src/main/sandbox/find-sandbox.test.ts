import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findFault, findSandbox, isSeatbelt } from "./find-sandbox.ts";

const file = (change: { uid?: number; mode?: number } = {}) => ({ uid: 0, mode: 0o100755, ...change });

it("is relied on only where root alone can have put it, and it has no rights of its own", () => {
  const path = "/usr/bin/bwrap";
  const look =
    (own: object, folder = {}) =>
    (asked: string) =>
      file(asked === path ? own : folder);
  expect(findFault(path, look({}))).toBeUndefined();
  expect(findFault(path, look({ uid: 1000 }))).toContain("belong to root");
  expect(findFault(path, look({ mode: 0o100775 }))).toContain("written by others");
  expect(findFault(path, look({ mode: 0o100757 }))).toContain("written by others");
  expect(findFault(path, look({}, { uid: 1000 }))).toContain(`${dirname(path)} does not belong`);
  expect(findFault(path, look({}, { mode: 0o040777 }))).toContain(`${dirname(path)} can be written`);
  expect(findFault(path, look({ mode: 0o104755 }))).toContain("rights of its owner");
  expect(findFault(path, look({ mode: 0o102755 }))).toContain("rights of its owner");
});

it("is looked for on Linux, and what is wrong with the first one is said instead of trying the next", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bwrap-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "bwrap");
  writeFileSync(path, "");
  chmodSync(path, 0o777);
  expect(findSandbox("linux", [path, "/usr/bin/bwrap"])).toEqual({ why: expect.stringContaining(path) });
  expect(findSandbox("linux", [])).toEqual({ why: expect.stringContaining("apt install bubblewrap") });
});

it("is Seatbelt on macOS, in its one place, and not to be had on Windows", () => {
  expect(findSandbox("darwin", ["/no/such/sandbox-exec"])).toEqual({
    why: "this system has no /no/such/sandbox-exec",
  });
  expect(findSandbox("win32")).toEqual({ why: "there is none for this system" });
  expect([isSeatbelt("/usr/bin/sandbox-exec"), isSeatbelt("/usr/bin/bwrap")]).toEqual([true, false]);
});
