/** The text that was approved is the text the shell gets, whatever the rules by which the system takes words apart. */

import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CommandShell } from "../../shared/command-shell.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { argumentsFor, isTooLong, toBashLiteral, toCommandLine } from "./shell-arguments.ts";
import { readAsGitBash, readAsPowerShellText, readAsWindows } from "./testing/read-command-line.ts";

const require = createRequire(import.meta.url);
/** What node-pty makes of file and arguments; plain code, whatever the system. */
const { argsToCommandLine } = require(join(require.resolve("node-pty"), "../windowsPtyAgent.js")) as {
  argsToCommandLine(file: string, args: string[] | string): string;
};

const gitBash: CommandShell = {
  kind: "bash",
  file: "C:\\Program Files\\Git\\bin\\bash.exe",
  name: "bash",
  closesDescriptors: true,
};
const powerShell: CommandShell = {
  kind: "powershell",
  file: "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe",
  name: "Windows PowerShell",
  closesDescriptors: false,
};
const lineOf = (shell: CommandShell, command: string) =>
  argsToCommandLine(shell.file, argumentsFor(shell, command, "win32"));

const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '""',
    "\\",
    "\\\\",
    "'",
    "\u2019",
    " ",
    "  ",
    "\t",
    "\n",
    "$",
    "`",
    "%PATH%",
    "^",
    "*",
  ),
  fc.constantFrom("a", "\\x41", "{a,b}", "~", "@file", "-", "é", "😀", "\u0085", "\r"),
  fc.string(),
);
/** Any text but those that hold a zero character or half a letter, which no command may and no file name can. */
const anyText = fc
  .array(piece, { maxLength: 12 })
  .map((pieces) => pieces.join(""))
  .filter((text) => !text.includes("\0") && text.isWellFormed());
const bounded = { numRuns: runsOf(2_000) };

describe("a command on its way to the shell on Windows", () => {
  it("reads command lines as the rules say", () => {
    expect(readAsWindows('a "b c" d\\\\"e f" "g\\"h" "" "i""j')).toEqual([
      "a",
      "b c",
      "d\\e f",
      'g"h',
      "",
      'i"j',
    ]);
    expect(readAsGitBash(`"a b" c'd e' "f\\\\g" "h\\"i" "\\x41"`)).toEqual([
      "a b",
      "cd e",
      "f\\g",
      'h"i',
      "\\x41",
    ]);
  });

  it("arrives as one equal argument, any text", () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (words) => {
        expect(readAsWindows(toCommandLine(words))).toEqual(words);
      }),
      bounded,
    );
  });

  it("is one word to Git's bash by Windows' rules and by its own", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = lineOf(gitBash, text);
        const words = [gitBash.file, "--noprofile", "--norc", "-c", `eval ${toBashLiteral(text)}`];
        expect(readAsWindows(line)).toEqual(words);
        expect(readAsGitBash(line)).toEqual(words);
      }),
      bounded,
    );
  });

  it("is one literal to PowerShell, in a text that ends with the program's own code", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const words = readAsWindows(lineOf(powerShell, text));
        expect(words.slice(0, -1)).toEqual([
          powerShell.file,
          ...["-NoLogo", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "RemoteSigned", "-Command"],
        ]);
        const [, literal, rest] =
          /^\S+\\Invoke-Expression (.*?); (\$countersignOk = .*)$/s.exec(words.at(-1)!) ?? [];
        expect(rest).toBe(
          "$countersignOk = $?; if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }; if (-not $countersignOk) { exit 1 }",
        );
        expect(readAsPowerShellText(literal!)).toBe(text);
      }),
      bounded,
    );
  });

  it("is given to bash as it is where the system hands words on", () => {
    const words = ["--noprofile", "--norc", "-c", '"a" "b"'];
    expect(argumentsFor(gitBash, '"a" "b"', "linux")).toEqual(words);
    expect(argumentsFor({ kind: "bash", name: "sh" }, "ls", "linux")).toEqual(["-c", "ls"]);
  });

  it("is too long where the system starts nothing with it", () => {
    const room = 32_767 - lineOf(powerShell, "").length - 1;
    expect(isTooLong(powerShell, "a".repeat(room - 8), "win32")).toBe(false);
    expect(isTooLong(powerShell, "a".repeat(room + 1), "win32")).toBe(true);
    // A quote takes four characters there.
    expect(isTooLong(gitBash, "'".repeat(9_000), "win32")).toBe(true);
    expect(isTooLong(gitBash, "'".repeat(9_000), "linux")).toBe(false);
    expect(isTooLong(gitBash, "a".repeat(121 * 1024), "linux")).toBe(true);
  });
});

describe.skipIf(process.platform === "win32")("the word in a real bash", () => {
  it("stands for the text, any text", () => {
    const texts = fc.sample(anyText, bounded.numRuns);
    const script = texts.map((text) => `printf '%s\\0' ${toBashLiteral(text)}`).join("\n");
    const said = execFileSync("bash", ["--noprofile", "--norc"], { input: script, maxBuffer: 1e8 });
    expect(said.toString("utf8").split("\0").slice(0, -1)).toEqual(texts);
  });

  it("does what the text does", () => {
    for (const text of [
      '"printf" "%s|" a  "b  c" \'d"e\'',
      "for x in 1 2; do\n  echo $x\ndone # end",
      "cat <<'EOF'\na \\\\ b\nEOF\necho \"$0\"; (exit 3)",
      "echo 'never closed",
    ]) {
      const run = (command: string) => {
        try {
          return [0, execFileSync("bash", ["-c", command, "sh"], { stdio: ["ignore", "pipe", "ignore"] })];
        } catch (error) {
          return [(error as { status: number }).status > 0, (error as { stdout: Buffer }).stdout];
        }
      };
      expect(run(`eval ${toBashLiteral(text)}`), text).toEqual(run(text));
    }
  });
});
