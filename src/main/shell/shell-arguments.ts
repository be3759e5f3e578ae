/** What makes a shell run a command: the words, or on Windows the one text, that its program is started with, so that each arrives as it was. */
import type { CommandShell } from "../../shared/command-shell.ts";

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

/** As `CommandLineToArgvW` and the C library read it: quotes around, `\"` for a quote, backslashes before one doubled. */
function quote(argument: string): string {
  return `"${argument.replace(/(\\*)("|$)/g, (_all, slashes: string, end: string) => slashes + slashes + (end && `\\${end}`))}"`;
}

/** Taken apart by Windows' own rules it gives back exactly these words. */
export function toCommandLine(words: readonly string[]): string {
  return words.map(quote).join(" ");
}

/**
 * A text as a word of bash that stands for just that text, in printable ASCII without `"`, `'` inside and two
 * backslashes in a row: Git's bash takes its command line apart by rules of its own, which read those in another way.
 */
export function toBashLiteral(text: string): string {
  const bytes = [...Buffer.from(text, "utf8")];
  const letters = bytes.map((byte) => {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x27 && byte !== 0x5c;
    return plain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `$'${letters.join("")}'`;
}

/** A text as a literal of PowerShell, to which curly single quotes are quotes as well. */
export function toPowerShellLiteral(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
}
