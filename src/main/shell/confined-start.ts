/** How a confined command is started: through bubblewrap, with a mark that it makes itself before anything else of it runs. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { CommandShell } from "../../shared/command-shell.ts";
import { messageOf } from "../../shared/message-of.ts";
import { type ConfinedWidth, readWidth } from "../../shared/width.ts";
import { checkMounts, fencesOf, writablePlaces } from "../sandbox/confinement.ts";
import { namedFolders } from "../sandbox/named-folders.ts";
import { seccompProgram } from "../sandbox/seccomp-program.ts";
import { type Before, noteBefore, setAside } from "../sandbox/set-aside.ts";
import { argumentsFor } from "./shell-arguments.ts";
import { ShellError } from "./shell-error.ts";
import type { Confining } from "./shell-messages.ts";

/** What holds one command, ready to be put up. */
export type Holding = {
  program: string;
  args: readonly string[];
  /** Where it may write, for the inside to hold against what is. */
  writable: readonly string[];
  /** The filter of system calls, as a file. */
  filterFile: string;
  /** What was there of the names that steer other programs; undefined for one that writes nothing. */
  before: Before | undefined;
  /** The same, for whoever finds this process dead. */
  beforeFile: string;
  /** Empty until the command has begun, inside of what holds it. */
  markFile: string;
  /** What a command is told so that it can live without a network and with an own `/tmp`. */
  env: Readonly<Record<string, string>>;
};

/** Without a network a package manager would try for more than a minute before it says so. */
const giveUpSoon = { npm_config_fetch_retries: "0", PIP_RETRIES: "0" };
/** With one it cannot keep what it fetched where it does otherwise, which is read-only. */
const fetchedTo = Object.fromEntries(
  ["npm_config_cache", "npm_config_store_dir", "YARN_CACHE_FOLDER", "YARN_GLOBAL_FOLDER", "PIP_CACHE_DIR"]
    .concat(["UV_CACHE_DIR", "GOCACHE", "GOMODCACHE", "COMPOSER_CACHE_DIR", "BUN_INSTALL_CACHE_DIR"])
    .map((name) => [name, `/tmp/fetched/${name.toLowerCase()}`]),
);

/** What a confined command finds set besides. One that only reads must not try to write down what it saw. */
export function environmentInside(width: ConfinedWidth): Readonly<Record<string, string>> {
  const { files, grant } = readWidth(width);
  return {
    TMPDIR: "/tmp",
    ...(grant === "network" ? fetchedTo : giveUpSoon),
    ...(files === "none" && { GIT_OPTIONAL_LOCKS: "0" }),
  };
}

/** Where it is noted what was there before a command: beside its log, under its name. */
export const beforeFileOf = (logPath: string) => `${logPath}.before`;

/** @throws ShellError `not-confined`; nothing has run then. */
export function prepareConfinement({
  confining,
  cwd,
  logPath,
}: {
  confining: Confining;
  cwd: string;
  logPath: string;
}): Holding {
  const { program, ...where } = confining;
  try {
    const fences = fencesOf({ ...where, workspace: cwd, cwd });
    const [args, writable] = [fences.flat(), writablePlaces(fences)];
    const { files, grant } = readWidth(confining.width);
    const filter = seccompProgram(process.arch, { sockets: grant === "sockets" });
    if (filter === undefined) throw new Error(`its filter is not known for ${process.arch}`);
    const [filterFile, markFile] = [`${logPath}.filter`, `${logPath}.mark`];
    writeFileSync(filterFile, filter, { mode: 0o600 });
    writeFileSync(markFile, "", { mode: 0o600 });
    const env = environmentInside(confining.width);
    const beforeFile = beforeFileOf(logPath);
    const before =
      files === "none"
        ? undefined
        : noteBefore(beforeFile, [cwd, ...namedFolders({ width: confining.width, workspace: cwd })]);
    return { program, args, writable, filterFile, markFile, before, beforeFile, env };
  } catch (error) {
    const text = `The command was not started: it could not be confined (${messageOf(error)}).`;
    throw new ShellError("not-confined", "width", text, error);
  }
}

/** The signals of a terminal: what holds the command must outlive them for it to clean up, and it gets its own way back. */
const signals = ["INT", "QUIT", "TERM", "HUP", "TSTP"];

/**
 * The words that the shell outside is started with. Nothing of the command is read by it: it stands in words of its own.
 * @param before what the shell outside does first
 */
export function confinedWords(
  { program, args, writable, filterFile, markFile }: Holding,
  shell: CommandShell,
  command: string,
  before: string,
): string[] {
  const outside = `${before}trap '' ${signals.join(" ")}; f=$1 m=$2; shift 2; exec "$@" 9<"$f" 7>>"$m"`;
  const inside = `${checkMounts}; echo begun >&7; exec "$@" 7>&-`;
  const start = (script: string) => argumentsFor(shell, script, "linux") as string[];
  return [
    ...[...start(outside), "outside", filterFile, markFile],
    ...[program, ...args, "--seccomp", "9", "--"],
    ...[shell.file, ...start(inside), "inside", String(writable.length), ...writable],
    ...["/usr/bin/env", `--default-signal=${signals.join(",")}`],
    ...[shell.file, ...start(command)],
  ];
}

/** Whether anything of the command ran. */
export function hasBegun({ markFile }: Holding): boolean {
  return readFileSync(markFile, "utf8") !== "";
}

/** @returns the names of what the command newly made that steers others, as they are now */
export const setAsideOf = ({ before }: Holding): string[] => (before === undefined ? [] : setAside(before));

/** Takes away what was only needed to start it. */
export function forgetStart({ markFile, filterFile, beforeFile }: Holding): void {
  for (const file of [markFile, filterFile, beforeFile]) rmSync(file, { force: true });
}
