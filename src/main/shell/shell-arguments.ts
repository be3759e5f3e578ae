/** What makes a shell run a command: the words, or on Windows the text, that its program is started with. */

import type { CommandShell } from "../../shared/command-shell.ts";
import { toBashLiteral, toCommandLine, toPowerShellLiteral } from "./windows-command-line.ts";

/** Linux refuses a single argument of 128 KiB or more. */
const longestArgumentBytes = 120 * 1024;
/** Windows starts nothing with a longer text, the program's own path and the end included. */
const longestLine = 32_767;

const bashWords = ["--noprofile", "--norc", "-c"];
const powerShellWords = [
  ...["-NoLogo", "-NoProfile", "-NonInteractive"],
  // For this process alone: without it a fresh Windows refuses npm, npx and whatever else is a script.
  ...["-ExecutionPolicy", "RemoteSigned", "-Command"],
];

/**
 * PowerShell ends with 0 or 1 unless it is told the program's own code. The approved text is read as a whole of its own
 * by `Invoke-Expression`; what stands behind it could else become a part of it, as after a last backtick.
 */
function withExitCode(command: string): string {
  return [
    `Microsoft.PowerShell.Utility\\Invoke-Expression ${toPowerShellLiteral(command)}`,
    "$countersignOk = $?",
    "if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }",
    "if (-not $countersignOk) { exit 1 }",
  ].join("; ");
}

/** @returns words, or on Windows the text behind the program's own name. */
export function argumentsFor(
  shell: Pick<CommandShell, "kind" | "name">,
  command: string,
  platform: NodeJS.Platform,
): string[] | string {
  const isWindows = platform === "win32";
  if (shell.kind === "powershell") {
    const words = [...powerShellWords, withExitCode(command)];
    return isWindows ? toCommandLine(words) : words;
  }
  if (isWindows) return toCommandLine([...bashWords, `eval ${toBashLiteral(command)}`]);
  return [...(shell.name === "sh" ? ["-c"] : bashWords), command];
}

/** Whether the system would refuse to start the command because of its length. */
export function isTooLong(shell: CommandShell, command: string, platform: NodeJS.Platform): boolean {
  const given = argumentsFor(shell, command, platform);
  if (typeof given === "string") return `${shell.file} ${given}`.length >= longestLine;
  return Buffer.byteLength(command) > longestArgumentBytes;
}
