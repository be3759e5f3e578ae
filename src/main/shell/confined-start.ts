/** How a confined command is started, with a mark that it makes itself before anything else of it runs. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../shared/message-of.ts";
import { type ConfinedWidth, readWidth } from "../../shared/width.ts";
import { isWithin } from "../paths/path-style.ts";
import { type Confinement, fencesOf, placeFences, writablePlaces } from "../sandbox/confinement.ts";
import { isSeatbelt } from "../sandbox/find-sandbox.ts";
import { namedFolders } from "../sandbox/named-folders.ts";
import { inOneLook, newLook, type WholeLook } from "../sandbox/remembered-entries.ts";
import { seatbeltProfile } from "../sandbox/seatbelt-profile.ts";
import { seccompProgram } from "../sandbox/seccomp-program.ts";
import { type Before, noteBefore, setAside } from "../sandbox/set-aside.ts";
import { ShellError } from "./shell-error.ts";
import type { Confining } from "./shell-messages.ts";

/** What holds one command, ready to be put up. */
export type Holding = {
  program: string;
  args: readonly string[];
  /** Where it may write, for the inside to hold against what is. */
  writable: readonly string[];
  /** The filter of system calls, or the whole profile of Seatbelt, as a file. */
  filterFile: string;
  /** Its own folder for temporary files, where it has no `/tmp` of its own. */
  ownTemporary: string | undefined;
  /** What was there of the names that steer other programs; undefined for one that writes nothing. */
  before: Before | undefined;
  /** Another command wrote in the same folder meanwhile. */
  hadCompany: boolean;
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
const fetchedTo = (own: string) =>
  Object.fromEntries(
    ["npm_config_cache", "npm_config_store_dir", "YARN_CACHE_FOLDER", "YARN_GLOBAL_FOLDER", "PIP_CACHE_DIR"]
      .concat(["UV_CACHE_DIR", "GOCACHE", "GOMODCACHE", "COMPOSER_CACHE_DIR", "BUN_INSTALL_CACHE_DIR"])
      .map((name) => [name, `${own}/fetched/${name.toLowerCase()}`]),
  );

/**
 * What a confined command finds set besides. One that only reads must not try to write down what it saw.
 * @param own its folder for temporary files
 */
export function environmentInside(width: ConfinedWidth, own = "/tmp"): Readonly<Record<string, string>> {
  const { files, grant } = readWidth(width);
  return {
    TMPDIR: own,
    ...(grant === "network" ? fetchedTo(own) : giveUpSoon),
    ...(files === "none" && { GIT_OPTIONAL_LOCKS: "0" }),
  };
}

/** Where it is noted what was there before a command: beside its log, under its name. */
export const beforeFileOf = (logPath: string) => `${logPath}.before`;

type ToConfine = { confining: Confining; cwd: string; logPath: string };

/**
 * Goes through the folders of a command that is about to start, while the disk takes its time with its row. What comes into
 * them from then on it meets like what comes while it runs.
 */
export function lookAhead({ confining, cwd }: Omit<ToConfine, "logPath">): WholeLook {
  const look = newLook();
  inOneLook(() => placeFences({ ...confining, workspace: cwd, cwd }), look);
  return look;
}

/**
 * @param look one that was taken for this very command
 * @throws ShellError `not-confined`; nothing has run then.
 */
export const prepareConfinement = (command: ToConfine, look?: WholeLook): Holding =>
  inOneLook(() => prepare(command), look);

function prepare({ confining, cwd, logPath }: ToConfine): Holding {
  const { program, ...where } = confining;
  const [filterFile, markFile] = [`${logPath}.filter`, `${logPath}.mark`];
  const beforeFile = beforeFileOf(logPath);
  const written = [filterFile, markFile, beforeFile];
  try {
    const held = (isSeatbelt(program) ? heldBySeatbelt : heldByBubblewrap)({ ...where, workspace: cwd, cwd });
    if (held.ownTemporary !== undefined) written.push(held.ownTemporary);
    const { filter, ...how } = held;
    writeFileSync(filterFile, filter, { mode: 0o600 });
    writeFileSync(markFile, "", { mode: 0o600 });
    const env = environmentInside(confining.width, how.ownTemporary);
    const before =
      readWidth(confining.width).files === "none"
        ? undefined
        : noteBefore(beforeFile, [cwd, ...namedFolders({ width: confining.width, workspace: cwd })]);
    return { program, ...how, filterFile, markFile, before, hadCompany: false, beforeFile, env };
  } catch (error) {
    for (const each of written) rmSync(each, { recursive: true, force: true });
    const text = `The command was not started: it could not be confined (${messageOf(error)}).`;
    throw new ShellError("not-confined", "width", text, error);
  }
}

type Held = Pick<Holding, "args" | "writable" | "ownTemporary"> & { filter: Uint8Array | string };

function heldByBubblewrap(confinement: Confinement): Held {
  const fences = fencesOf(confinement);
  const filter = seccompProgram(process.arch, {
    sockets: readWidth(confinement.width).grant === "sockets",
  });
  if (filter === undefined) throw new Error(`its filter is not known for ${process.arch}`);
  return { args: fences.flat(), writable: writablePlaces(fences), ownTemporary: undefined, filter };
}

function heldBySeatbelt(confinement: Confinement): Held {
  const ownTemporary = realpathSync(mkdtempSync(join(tmpdir(), "countersign-own-")));
  try {
    return { args: [], writable: [], ownTemporary, filter: seatbeltProfile(confinement, ownTemporary) };
  } catch (error) {
    rmSync(ownTemporary, { recursive: true, force: true });
    throw error;
  }
}

/** Whether anything of the command ran. */
export function hasBegun({ markFile }: Holding): boolean {
  return readFileSync(markFile, "utf8") !== "";
}

/** @returns the names of what the command newly made that steers others, as they are now */
export const setAsideOf = ({ before, hadCompany }: Holding): string[] =>
  before === undefined ? [] : setAside(before, hadCompany);

/** Notes of one that starts, and of those that run, where they write in one folder. */
export function noteCompany(holding: Holding, running: Iterable<Holding>): void {
  const foldersOf = ({ before = [] }: Holding) => before.map(({ folder }) => folder);
  for (const other of running)
    if (
      foldersOf(holding).some((one) =>
        foldersOf(other).some((each) => isWithin(one, each) || isWithin(each, one)),
      )
    )
      holding.hadCompany = other.hadCompany = true;
}

/** Takes away what was only needed to start it, and what it put into its own folder. */
export function forgetStart({ markFile, filterFile, beforeFile, ownTemporary }: Holding): void {
  const own = ownTemporary === undefined ? [] : [ownTemporary];
  for (const each of [markFile, filterFile, beforeFile, ...own])
    rmSync(each, { recursive: true, force: true });
}
