import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeSpawnHelperExecutable } from "./spawn-helper.ts";

let folder: string;
let helper: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "node-pty-"));
  helper = join(folder, "prebuilds", `darwin-${process.arch}`, "spawn-helper");
  mkdirSync(join(helper, ".."), { recursive: true });
  writeFileSync(helper, "");
  chmodSync(helper, 0o644);
});
afterEach(() => rmSync(folder, { recursive: true }));
const mode = () => statSync(helper).mode & 0o777;

it.skipIf(process.platform === "win32")("may run on macOS when a command is about to need it", () => {
  makeSpawnHelperExecutable("darwin", () => folder);
  expect(mode()).toBe(0o755);
});

it.skipIf(process.platform === "win32")("is left alone elsewhere, and its absence is no error", () => {
  makeSpawnHelperExecutable("linux", () => folder);
  expect(mode()).toBe(0o644);
  makeSpawnHelperExecutable("darwin", () => join(folder, "nothing"));
  makeSpawnHelperExecutable("darwin", () => {
    throw new Error("There is no node-pty.");
  });
});
