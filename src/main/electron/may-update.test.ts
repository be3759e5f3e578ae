import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { mayUpdate } from "./may-update.ts";

const address = "provider: github\nowner: a\nrepo: b\n";
const signed = `${address}publisherName:\n  - Somebody\n`;

it.each([
  ["macOS, with an address", true, "darwin", address, true],
  ["Windows, with an address and a signer", true, "win32", signed, true],
  // With nobody to compare with, anything would be installed.
  ["Windows, with an address and no signer", true, "win32", address, false],
  ["Linux, whose packages nobody signs", true, "linux", signed, false],
  ["macOS, not packaged", false, "darwin", signed, false],
  ["macOS, without an address", true, "darwin", undefined, false],
] as const)("a build for %s may replace itself or not", (_name, packaged, platform, settings, able) => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-resources-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (settings !== undefined) writeFileSync(join(folder, "app-update.yml"), settings);
  expect(mayUpdate(packaged, platform, folder)).toBe(able);
});
