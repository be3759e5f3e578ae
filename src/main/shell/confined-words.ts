/** The words that a confined command is started with, so that what holds it is there before anything of it is read. */
import type { CommandShell } from "../../shared/command-shell.ts";
import { isKernelSince } from "../base/kernel-since.ts";
import { checkMounts } from "../sandbox/confinement.ts";
import type { Holding } from "./confined-start.ts";
import { argumentsFor } from "./shell-arguments.ts";

/** The signals of a terminal: what holds the command must outlive them for it to clean up, and it gets its own way back. */
const signals = ["INT", "QUIT", "TERM", "HUP", "TSTP"];

/**
 * The words that the shell outside is started with. Nothing of the command is read by it: it stands in words of its own.
 * @param before what the shell outside does first
 */
export function confinedWords(
  holding: Holding,
  shell: CommandShell,
  command: string,
  before: string,
): string[] {
  const start = (script: string) => argumentsFor(shell, script, "linux") as string[];
  return holding.ownTemporary === undefined
    ? inBubblewrap(holding, shell, command, before, start)
    : inSeatbelt(holding, shell, command, before, start);
}

/**
 * Threads too; who is root outside is not bound by it. Never more than it would have anyway. Before this kernel all that the
 * person has running would count.
 */
const bounded = isKernelSince(5, 14) ? "{ ulimit -Hu 8192 || ulimit -u 8192; } 2>/dev/null" : ":";
/** When the machine has no memory left its kernel ends the command, and nothing else of the person. */
const endedFirst = "{ echo 500 > /proc/self/oom_score_adj; } 2>/dev/null";

type Start = (script: string) => string[];

function inBubblewrap(
  { program, args, writable, filterFile, markFile }: Holding,
  shell: CommandShell,
  command: string,
  before: string,
  start: Start,
): string[] {
  const outside = `${before}${endedFirst}; trap '' ${signals.join(" ")}; f=$1 m=$2; shift 2; exec "$@" 9<"$f" 7>>"$m"`;
  const inside = `${checkMounts}; ${bounded}; echo begun >&7; exec "$@" 7>&-`;
  return [
    ...[...start(outside), "outside", filterFile, markFile],
    ...[program, ...args, "--seccomp", "9", "--"],
    ...[shell.file, ...start(inside), "inside", String(writable.length), ...writable],
    ...["/usr/bin/env", `--default-signal=${signals.join(",")}`],
    ...[shell.file, ...start(command)],
  ];
}

/**
 * Seatbelt's program becomes the command, so that no signal has to be held back. The mark lies among the app's records: who
 * sees it by its name is held by no profile.
 */
function inSeatbelt(
  { program, filterFile, markFile }: Holding,
  shell: CommandShell,
  command: string,
  before: string,
  start: Start,
): string[] {
  const outside = `${before}t=$(/usr/bin/tty) || t=/dev/null; p=$1 f=$2 m=$3; shift 3; exec "$p" -D "TTY=$t" -f "$f" "$@" 7>>"$m"`;
  const inside = `[ -e "$1" ] && { echo "its profile does not hold"; exit 1; }; shift; echo begun >&7; exec "$@" 7>&-`;
  return [
    ...[...start(outside), "outside", program, filterFile, markFile],
    ...[shell.file, ...start(inside), "inside", markFile],
    ...[shell.file, ...start(command)],
  ];
}
