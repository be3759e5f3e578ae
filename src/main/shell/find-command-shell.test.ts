/** Which program reads the commands on each system. */

import { describe, expect, it } from "vitest";
import { titleOfShell } from "../../shared/command-shell.ts";
import { askVersion, findCommandShell } from "./find-command-shell.ts";

const windows = {
  ProgramFiles: "C:\\Program Files",
  "ProgramFiles(x86)": "C:\\Program Files (x86)",
  LOCALAPPDATA: "C:\\Users\\ada\\AppData\\Local",
  SystemRoot: "C:\\Windows",
  PATH: "C:\\Windows\\System32;C:\\Program Files\\PowerShell\\7",
};
const having =
  (...files: string[]) =>
  (file: string) =>
    files.includes(file);

describe("the shell of commands", () => {
  it("is Git's bash on Windows where it stands, else the newer PowerShell, else the system's", () => {
    const git = "C:\\Users\\ada\\AppData\\Local\\Programs\\Git\\bin\\bash.exe";
    const pwsh = "C:\\Program Files\\PowerShell\\7\\pwsh.exe";
    expect(findCommandShell("win32", windows, having(git, pwsh))).toMatchObject({ kind: "bash", file: git });
    expect(findCommandShell("win32", windows, having(pwsh))).toMatchObject({
      kind: "powershell",
      file: pwsh,
      name: "PowerShell",
    });
    expect(findCommandShell("win32", windows, having())).toMatchObject({
      kind: "powershell",
      file: "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe",
      name: "Windows PowerShell",
    });
  });

  it("is never looked for in a folder that depends on where the app was started", () => {
    const anything = (file: string) => !/^(?:C:|\/(?:usr\/)?(?:local\/)?bin\/)/.test(file);
    expect(findCommandShell("win32", { ...windows, PATH: ".;tools;;" }, anything).file).toMatch(/^C:/);
    expect(findCommandShell("linux", { PATH: ".:tools::" }, anything).file).toBe("/bin/sh");
  });

  it("is bash elsewhere, else the standard shell", () => {
    expect(findCommandShell("darwin", { PATH: "/opt/homebrew/bin" }, having("/bin/bash"))).toMatchObject({
      kind: "bash",
      file: "/bin/bash",
    });
    expect(findCommandShell("linux", { PATH: "/nix/bin:/x" }, having("/nix/bin/bash")).file).toBe(
      "/nix/bin/bash",
    );
    expect(findCommandShell("linux", {}, having())).toMatchObject({ file: "/bin/sh", name: "sh" });
  });

  it("says its version when it is asked, and is known by its name alone when it does not answer", async () => {
    const found = findCommandShell(process.platform, process.env);
    expect(titleOfShell(await askVersion(found))).toMatch(/^(?:bash|(?:Windows )?PowerShell) \d+\.\d+$/);
    const missing = { ...found, file: "/nowhere/bash" };
    expect(titleOfShell(await askVersion(missing))).toBe(found.name);
  });
});
