/** What never runs and what is secret holds on each system, however its paths are spelled. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { foldName } from "../paths/fold-name.ts";
import { forFiles } from "../paths/own-style.ts";
import { darwinStyle } from "../paths/posix-style.ts";
import { gitBashStyle, windowsStyle } from "../paths/windows-style.ts";
import { makePolicyContext } from "../rules/policy-context.ts";
import { judgeCommand } from "./judge-command.ts";
import { judgeFile } from "./judge-file.ts";
import type { PolicyContext } from "./policy-context.ts";
import { makeContext } from "./testing/make-context.ts";

const mac = makeContext({
  paths: darwinStyle,
  workspace: "/Users/ada/app",
  cwd: "/Users/ada/app",
  home: "/Users/ada",
  tools: "bsd",
  rules: [],
  protectedDirs: ["/Users/ada/Library/Application Support/Countersign"],
});
const onWindows = {
  workspace: "/c:/work/app",
  cwd: "/c:/work/app",
  home: "/c:/Users/ada",
  rules: [],
  protectedDirs: ["/c:/Users/ada/AppData/Local/Countersign"],
  look: {
    isThere: (path: string) => path === "/c:/work/app/.git",
    entriesIn: () => [],
    namesIn: () => [],
    namesBelow: () => [],
    kindOf: () => undefined,
  },
};
const gitBash = makeContext({ paths: gitBashStyle, ...onWindows });
const powerShell = makeContext({ paths: windowsStyle, ...onWindows, shell: "powershell" });

const others = (context: PolicyContext, wanted: string, commands: readonly string[]) =>
  commands
    .map((command) => `${judgeCommand(command, context).verdict}: ${command}`)
    .filter((line) => !line.startsWith(`${wanted}: `));

describe("what never runs", () => {
  it("wipes no system folder, home or disk of macOS", () => {
    const places = [
      ..."/private/etc /private/var /PRIVATE/Etc /etc /Volumes/Backup /volumes/Backup /opt/homebrew /opt/homebrew/Cellar".split(
        " ",
      ),
      ..."/users/ADA /Users/ada /Users/eve /System /Library /Applications /Network ~ /Users/ada/../eve /private".split(
        " ",
      ),
      "/System/Volumes/Data/Users/ada",
    ];
    expect(
      others(
        mac,
        "deny",
        places.map((place) => `rm -rf ${place}`),
      ),
    ).toEqual([]);
  });

  it("wipes no drive, system folder or home of Windows from Git's bash", () => {
    const places = [
      ..."/ /c /C/ /c/Windows /c/windows/System32 C:/Windows C:/ c:/Users /c/Users/ada ~ /cygdrive/c/Users".split(
        " ",
      ),
      ..."'C:\\Windows' 'C:\\Users\\ada' C:/ProgramData /d /etc /tmp/../c/Windows ../.. ../../..".split(" "),
    ];
    const commands = [
      ...[...places, "'/c/Program Files'"].map((place) => `rm -rf ${place}`),
      "cmd.exe //c rd //s //q C:\\\\Users\\\\ada",
      "powershell -c 'Remove-Item -Recurse -Force C:\\Windows'",
      "vssadmin.exe delete shadows",
    ];
    expect(others(gitBash, "deny", commands)).toEqual([]);
  });

  const records = "Countersign";
  it.each([
    [
      "macOS",
      { ...mac, paths: forFiles(darwinStyle) },
      [
        `/Users/ada/Library/Application Support/${records}/rules.json`,
        `~/Library/Application Support/${records}/rules.json`,
        `/users/ADA/library/application support/COUNTERSIGN/x`,
        `/Users/ada/Library/Application Support/Counter\u017fign/x`,
        `../Library/Application Support/${records}`,
      ],
    ],
    [
      "Windows",
      { ...powerShell, paths: forFiles(windowsStyle) },
      [
        `C:\\Users\\ada\\AppData\\Local\\${records}\\rules.json`,
        `c:/users/ADA/appdata/local/countersign/rules.json`,
        `~\\AppData\\Local\\${records}\\rules.json`,
        `\\Users\\ada\\AppData\\Local\\${records}`,
        `..\\..\\Users\\ada\\AppData\\Local\\${records}\\x`,
        `\\\\?\\C:\\Users\\ada\\AppData\\Local\\${records}\\x`,
        `\\\\.\\C:\\Users\\ada\\AppData\\Local\\${records}\\x`,
        `\\??\\C:\\Users\\ada\\AppData\\Local\\${records}\\x`,
        `\\\\localhost\\c$\\Users\\ada\\AppData\\Local\\${records}\\x`,
        `//127.0.0.1/C$/Users/ada/AppData/Local/${records}/x`,
        `C:\\Users\\ada\\AppData\\Local\\${records}.\\rules.json`,
        `C:\\Users\\ada\\AppData\\Local\\${records} \\rules.json::$DATA`,
        `C:\\Users\\ada\\AppData\\Local\\Counter\u017fign\\x`,
      ],
    ],
  ])("writes this app's own records on %s in no spelling", (_name, context, paths) => {
    for (const path of paths)
      for (const operation of ["write", "delete"] as const)
        expect(judgeFile({ operation, path }, { ...context, rules: [] }).verdict, path).toBe("deny");
  });

  it("writes them from no shell", () => {
    const folder = "AppData/Local/Countersign";
    const places = [
      `/c/Users/ada/${folder}/rules.json`,
      `C:/Users/ada/${folder}/rules.json`,
      `~/${folder}/rules.json`,
      `"$HOME/${folder}/rules.json"`,
      `'C:\\Users\\ada\\AppData\\Local\\Countersign\\rules.json'`,
      `../../Users/ada/${folder}/x`,
    ];
    expect(
      others(
        gitBash,
        "deny",
        places.flatMap((place) => [`rm ${place}`, `echo x > ${place}`, `tee ${place}`]),
      ),
    ).toEqual([]);
    const support = "Library/Application Support/Countersign/rules.json";
    expect(
      others(mac, "deny", [
        `rm '/users/ada/${support}'`,
        `rm "$HOME/${support}"`,
        `echo x > '/Users/ada/${support}'`,
      ]),
    ).toEqual([]);
  });
});

describe("Git's bash on Windows", () => {
  it("runs ordinary reading inside of the workspace, in each way to write a path", () => {
    const commands = [
      ..."ls|ls -la src|cat README.md|cat ./src/a.ts|cat /c/work/app/src/a.ts|cat C:/work/app/src/a.ts|head -n 3 c:/work/app/a.ts".split(
        "|",
      ),
      ..."wc -l src/a.ts|git status|git log -n 3|cd src && ls|cat a.ts | head -n 2|echo done > /dev/null".split(
        "|",
      ),
    ];
    expect(others(gitBash, "safe", commands)).toEqual([]);
  });

  it("asks about what is outside, elsewhere or no file, and looks at nothing elsewhere", () => {
    const looked: string[] = [];
    const resolvePath = (path: string) => {
      looked.push(path);
      return { real: path };
    };
    const texts = [
      ..."//evil/share/x '\\\\evil\\share\\x' /d/x D:/x NUL con.txt a.ts:s .env /c/Users/ada/.ssh/id_rsa /etc/passwd /proc/registry/x //?/C:/x src/../../x 'ends.' /tmp/x ~/x".split(
        " ",
      ),
    ];
    expect(
      others(
        { ...gitBash, resolvePath },
        "ask",
        texts.map((text) => `cat ${text}`),
      ),
    ).toEqual([]);
    expect(looked.filter((path) => !/^\/(?:c:|tmp|etc|proc|$)/.test(path))).toEqual([]);
  });

  it("knows Windows' own programs with and without their suffix", () => {
    const commands = [
      ..."cmd.exe //c dir|CMD.EXE //c dir|reg.exe query HKCU|powershell.exe -c ls|pwsh.exe -v|winpty bash|explorer .|taskkill //f //pid 1".split(
        "|",
      ),
      ..."certutil.exe -urlcache|msiexec //i x|wsl ls|wscript.exe a.vbs|schtasks.exe //create|icacls.exe .|node.exe a.js".split(
        "|",
      ),
    ];
    expect(others(gitBash, "ask", commands)).toEqual([]);
  });
});

describe("a context of Windows", () => {
  it.each(["bash", "powershell"] as const)(
    "has its paths in the form that the reader of %s knows",
    (shell) => {
      const made = makePolicyContext({
        workspace: "C:\\work\\App",
        dataDir: "C:\\Users\\ada\\AppData\\Local\\Countersign",
        platform: "win32",
        shell,
        trusted: true,
        rules: [],
      });
      expect([made.workspace, made.cwd]).toEqual(["/c:/work/App", "/c:/work/App"]);
      // And beside it the folder as it is stored, where one is there.
      expect(made.protectedDirs).toContain("/c:/Users/ada/AppData/Local/Countersign");
      const context = { ...made, ...(({ look }) => ({ look }))(onWindows), resolvePath: undefined };
      const reading = shell === "bash" ? "cat src/a.ts" : "Get-Content src\\a.ts";
      expect(judgeCommand(reading, context).verdict).toBe("safe");
      const wipe = shell === "bash" ? "rm -rf /c/" : "Remove-Item -Recurse -Force C:\\";
      expect(judgeCommand(wipe, context).verdict).toBe("deny");
    },
  );
});

it("asks about names that only macOS or Windows run or keep secrets in, on every system", () => {
  const runs =
    "a.command b.tool c.terminal d.scpt e.workflow/x f.psm1 g.psd1 h.vbs i.hta j.lnk k.url l.reg m.msi n.scr";
  const profiles = "Microsoft.PowerShell_profile.ps1 profile.ps1 .vs/tasks.vs.json";
  const secrets = "ConsoleHost_history.txt work.rdp azure.publishsettings";
  const asked = (context: PolicyContext, operation: "read" | "write", names: string) =>
    names
      .split(" ")
      .filter((path) => judgeFile({ operation, path }, { ...context, rules: [] }).verdict !== "ask");
  for (const context of [makeContext(), mac, { ...powerShell, paths: forFiles(windowsStyle) }]) {
    expect(asked(context, "write", `${runs} ${profiles}`)).toEqual([]);
    expect(asked(context, "read", secrets)).toEqual([]);
  }
});

describe("names", () => {
  /** Every character that some disk takes for letters of ASCII. */
  const lookalikes = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter(
    (char) => char > "\u007f" && /^[a-z]+$/.test(foldName(char)),
  );
  const secrets = [
    ".ssh/config",
    "secrets.json",
    "credentials.json",
    ".pgpass",
    ".aws/credentials",
    ".netrc",
  ];
  const guarded = [".vscode/tasks.json", ".husky/pre-commit", ".bashrc", ".cursor/mcp.json", ".git/hooks/x"];

  it("count as the disk counts them, in any case, form and folding", () => {
    expect(lookalikes).toEqual(expect.arrayContaining(["\u017f", "\u00df", "\u212a", "\ufb06"]));
    const spelled = fc
      .constantFrom(...secrets, ...guarded)
      .chain((name) =>
        fc.tuple(fc.constant(name), fc.array(fc.nat(2), { minLength: name.length, maxLength: name.length })),
      );
    const context = { ...mac, rules: [], trusted: true };
    fc.assert(
      fc.property(spelled, fc.constantFrom(...lookalikes), ([name, choices], char) => {
        const from = foldName(char);
        const text = [...name]
          .map((letter, at) => (choices[at] === 1 ? letter.toUpperCase() : letter))
          .join("")
          .replace(new RegExp(from, "gi"), (found, at: number) => (choices[at] === 2 ? char : found));
        const isSecret = secrets.includes(name);
        for (const path of [text, text.normalize("NFD"), text.normalize("NFC")]) {
          const operation = isSecret ? "read" : "write";
          expect(judgeFile({ operation, path }, context).verdict, `${operation} ${path}`).toBe("ask");
        }
      }),
      { numRuns: runsOf(1_500) },
    );
  });
});
