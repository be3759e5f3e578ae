/** What is handed to a program outside is shown there and never run: whatever is not known to be shown goes to its folder. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Machine } from "../base/openers.ts";
import { filePrograms, folderPrograms, type Shown } from "./open-outside.ts";

const platforms = ["linux", "darwin", "win32"] as const;
const machine = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}): Machine => ({
  platform,
  env,
  isWsl: false,
});
const file = (path: string, content = "plain", more: Partial<Shown> = {}): Shown => ({
  path,
  kind: "file",
  isExecutable: false,
  start: Buffer.from(content, "latin1"),
  ...more,
});
const lines = (shown: Shown, on: Machine) =>
  filePrograms(shown, on).map(({ program, args }) => [program, ...args].join(" "));
/** Programs that only ever show: an editor with a window, and macOS's own for texts. */
const isEditor = (line: string) => line.startsWith("open -t ") || line.startsWith("code ");

const runs =
  "desktop app exe com bat cmd ps1 vbs vbe js jse mjs cjs wsf wsh hta msi msc scr pif lnk url reg jar py pyw rb pl sh bash command tool terminal workflow scpt applescript action pkg dmg appimage run deb rpm html htm xhtml svg pdf docm xlsm webloc inetloc fileloc chm hlp cpl inf sct settingcontent-ms library-ms search-ms".split(
    " ",
  );

describe("a file", () => {
  it.each(platforms)(
    "that may run when it is opened is handed to no program but an editor (%s)",
    (platform) => {
      const names = [
        ...runs.map((kind) => `/w/x.${kind}`),
        "/w/x",
        "/w/x.md.exe",
        "/w/x.exe.",
        "/w/x.exe ",
        "/w/.desktop",
      ];
      for (const path of names)
        expect(
          lines(file(path), machine(platform)).filter((line) => !isEditor(line)),
          path,
        ).toEqual([]);
    },
  );

  it("is what it begins with, whatever its name says", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...platforms),
        fc.constantFrom("md", "txt", "png", "json", "gif"),
        fc.constantFrom(
          "MZ\0",
          "\x7fELF\0",
          "#!/bin/sh\n",
          "\n #!x",
          "[Desktop Entry]\nExec=x",
          "\n[desktop entry]",
          "PK\x03\x04\0",
          "<html>",
          "\x89PNX\0",
        ),
        fc.string(),
        (platform, kind, begin, rest) => {
          const shown = file(`/w/x.${kind}`, begin + rest);
          return lines(shown, machine(platform)).every(isEditor);
        },
      ),
    );
  });

  it.each(platforms)(
    "that is started by its mode, or is no plain file, is handed to nothing but an editor (%s)",
    (platform) => {
      expect(lines(file("/w/x.md", "plain", { isExecutable: true }), machine(platform)).every(isEditor)).toBe(
        true,
      );
      expect(lines(file("/w/x.md", "", { kind: "other" }), machine(platform, { VISUAL: "code" }))).toEqual(
        [],
      );
      expect(lines(file("/w/x.app", "", { kind: "folder" }), machine(platform, { VISUAL: "code" }))).toEqual(
        [],
      );
    },
  );

  it("hides nothing behind another name on Windows", () => {
    expect(lines(file("C:\\w\\x.exe:y.md"), machine("win32"))).toEqual([]);
  });

  it("goes to the person's own editor first, then to what the system has for a text", () => {
    const own = { VISUAL: "/usr/bin/code --wait --new-window", EDITOR: "vim" };
    expect(lines(file("/w/a.md"), machine("linux", own))).toEqual([
      "/usr/bin/code --new-window /w/a.md",
      "xdg-open /w/a.md",
      "gio open /w/a.md",
    ]);
    expect(lines(file("/w/a.py"), machine("linux", own))).toEqual(["/usr/bin/code --new-window /w/a.py"]);
    expect(lines(file("/w/a.md"), machine("darwin"))).toEqual(["open -t /w/a.md", "open /w/a.md"]);
    expect(lines(file("C:\\w\\a.md"), machine("win32", { SystemRoot: "D:\\W" }))[0]).toMatch(
      /rundll32\.exe url\.dll/,
    );
    expect(lines(file("/w/a.png", "\x89PNG\r\n\x1a\n\0"), machine("linux", own))[0]).toBe(
      "xdg-open /w/a.png",
    );
  });
});

describe("a folder", () => {
  const folder = (path: string) => file(path, "", { kind: "folder" });
  it("is opened, and one that may be an app of macOS is only pointed at", () => {
    const [opened] = folderPrograms(folder("/w/shop"), machine("darwin"));
    expect(opened?.args).toEqual(["/w/shop"]);
    expect(folderPrograms(folder("/w/Evil.app"), machine("darwin"))[0]?.args).toEqual(["-R", "/w/Evil.app"]);
    expect(folderPrograms(folder("/w/shop"), machine("linux"))[0]?.args).toEqual(["/w/shop"]);
  });

  it("is what is opened of a file that is only shown", () => {
    expect(folderPrograms(file("/w/x.sh"), machine("linux"))[0]).toEqual({
      program: "xdg-open",
      args: ["/w"],
    });
    expect(folderPrograms(file("/w/x.sh"), machine("darwin"))[0]?.args).toEqual(["-R", "/w/x.sh"]);
    expect(folderPrograms(file("C:\\w\\x.bat"), machine("win32"))[0]?.args).toEqual(["/select,C:\\w\\x.bat"]);
  });
});
