/** When the browser takes over from the desktop app, with a program in Electron's place. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDesktop } from "./desktop.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "electron-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function install(source) {
  const file = join(folder, "electron.cjs");
  writeFileSync(file, `#!${process.execPath}\n${source}\n`);
  chmodSync(file, 0o755);
  return file;
}

const shown = 'process.send({ type: "window-shown" }, () => process.exit(1));';

describe.skipIf(process.platform === "win32")("the desktop app", () => {
  it.each([
    ["a dead display ends it", "process.exit(1)", 1],
    ["its sandbox or a library ends it", 'process.kill(process.pid, "SIGTRAP")', 133],
    ["it says something else first", 'process.send({ type: "hello" }, () => process.exit(2))', 2],
  ])("gives way to the browser where %s before its window", async (_why, source, code) => {
    const problem = `Electron ended before it showed a window (exit code ${code})`;
    expect(await openDesktop(install(source), [])).toEqual({ problem });
  });

  it.each([
    ["handed over to a window that is open", "process.exit(0)", 0],
    ["ends after its window was seen, however it ends", shown, 1],
  ])("does not where it %s", async (_why, source, code) => {
    expect(await openDesktop(install(source), [])).toEqual({ code });
  });

  it("gives way where there is no such program", async () => {
    expect(await openDesktop(join(folder, "absent"), [])).toEqual({
      problem: "Electron could not be started",
    });
  });
});
