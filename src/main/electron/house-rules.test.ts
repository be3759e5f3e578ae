/** Rules that no linter knows: where Electron's dangerous calls may stand, and how small the shell must stay. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";

const sources = join(import.meta.dirname, "../..");

function readSources(folder: string): { file: string; text: string; lines: number }[] {
  return readdirSync(join(sources, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      file: relative(sources, path).split(sep).join("/"),
      text: readFileSync(path, "utf8"),
    }))
    .filter(({ file }) => !file.startsWith("main/electron/testing/"))
    .map((source) => ({ ...source, lines: source.text.trimEnd().split("\n").length }));
}

const all = readSources(".");
const filesWith = (pattern: RegExp) => all.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

describe("the house rules of the shell", () => {
  it.each([
    ["raw ipcMain", /\bipcMain\b/, ["main/electron/door.ts"]],
    ["raw ipcRenderer", /\bipcRenderer\b/, ["preload/index.ts"]],
    ["new windows", /new BrowserWindow\b/, ["main/electron/window.ts"]],
    ["openExternal", /\bopenExternal\b/, ["main/electron/navigation.ts"]],
    ["openPath", /\bopenPath\b/, []],
    ["utility processes", /\butilityProcess\b/, ["main/electron/shell-host.ts"]],
    [
      "forks of plain Node",
      /import \{[^}]*\bfork\b[^}]*\} from "node:child_process"/,
      ["main/shell/shell-host-process.ts"],
    ],
    ["webContents.send", /webContents\.send\b|\bsender\.send\b/, []],
    ["raw HTML in the page", /dangerouslySetInnerHTML/, []],
    ["crash uploads", /\bcrashReporter\b/, []],
    ["JavaScript run in the page", /\bexecuteJavaScript\b/, []],
    ["handlers for the app's own address", /registerAsDefaultProtocolClient|setAsDefaultProtocolClient/, []],
  ])("%s stand only where they may", (_name, pattern, allowed) => {
    expect(filesWith(pattern)).toEqual(allowed);
  });

  it("Electron is imported by the shell, its entry and the preload alone", () => {
    const importers = filesWith(/from "electron"|require\("electron"\)|import\("electron"\)/);
    expect(importers).toContain("main/electron/window.ts");
    const strangers = importers.filter(
      (file) => !/^(main\/electron\/|main\/index\.ts$|preload\/)/.test(file),
    );
    expect(strangers).toEqual([]);
  });

  it("each file of the shell stays short, the entry is a table of contents, and the preload has 25 lines", () => {
    const longest = Math.max(...readSources("main/electron").map(({ lines }) => lines));
    expect(longest).toBeLessThan(110);
    expect(all.find(({ file }) => file === "main/index.ts")?.lines).toBeLessThan(130);
    expect(readSources("preload")).toHaveLength(1);
    expect(readSources("preload")[0]?.lines).toBeLessThanOrEqual(25);
  });
});
