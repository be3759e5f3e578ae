/** Keeps what is in the data directory to its owner, also in a directory that was made for something else. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  type Dirent,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, win32 } from "node:path";
import { identityOf, othersLetIn } from "./access-list.ts";

/** Runs a program of Windows by its full path and hands back what it printed. @throws when it fails. */
export type RunTool = (name: "icacls.exe" | "whoami.exe", args: readonly string[]) => string;

const runTool: RunTool = (name, args) =>
  // By its full path: a bare name is looked for in the current folder first.
  execFileSync(win32.join(process.env.SystemRoot ?? "C:\\Windows", "System32", name), args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });

/** The identity of the person who runs this, as Windows numbers it. @throws when it cannot be found out. */
function ownIdentity(run: RunTool): string {
  const found = /S-1-[0-9-]+/.exec(run("whoami.exe", ["/user", "/fo", "csv", "/nh"]))?.[0];
  if (found === undefined) throw new Error("Windows does not say who runs this.");
  return found;
}

/** The access lists of what a path or pattern names, each behind the name it belongs to. */
function savedLists(path: string, run: RunTool): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-access-"));
  try {
    const file = join(folder, "list");
    run("icacls.exe", [path, "/save", file, "/q"]);
    const lines = readFileSync(file, "utf16le")
      .replace(/^\ufeff/, "")
      .split(/\r?\n/);
    return new Map(
      lines.flatMap((line, at) =>
        at % 2 === 0 && line !== "" ? [[win32.basename(line), lines[at + 1] ?? ""]] : [],
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Who besides the owner is let into a folder itself; undefined when nobody can say. */
function othersIn(dir: string, owner: string, run: RunTool): string[] | undefined {
  const [list] = savedLists(dir, run).values();
  return list === undefined ? undefined : othersLetIn(list, owner);
}

/** What stands in a folder and lets others in by a list of its own, or by one that nobody can read. */
function openEntries(dir: string, owner: string, run: RunTool): Dirent[] {
  const entries = readdirSync(dir, { withFileTypes: true });
  if (entries.length === 0) return [];
  const lists = savedLists(join(dir, "*"), run);
  return entries.filter(({ name }) => othersLetIn(lists.get(name) ?? "", owner)?.length !== 0);
}

/** Lets the owner, the system and its administrators in, and nobody who was let in by the folder above or by name. */
function closeFolder(dir: string, owner: string, run: RunTool): void {
  const grants = [owner, "S-1-5-18", "S-1-5-32-544"].map((who) => `*${who}:(OI)(CI)F`);
  run("icacls.exe", [dir, "/inheritance:r", "/grant:r", ...grants]);
  for (const who of new Set(othersIn(dir, owner, run))) {
    const identity = identityOf(who, owner);
    if (identity !== undefined) run("icacls.exe", [dir, "/remove:g", `*${identity}`]);
  }
}

/** Takes its own list from everything below a closed folder, so that the folder's holds. What a link leads to is left. */
function closeBelow(dir: string, owner: string, run: RunTool): void {
  for (const entry of openEntries(dir, owner, run))
    if (!entry.isSymbolicLink()) run("icacls.exe", [join(dir, entry.name), "/reset"]);
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) closeBelow(join(dir, entry.name), owner, run);
}

/** Whether no other user of this computer is let into the folder by its list. What cannot be found out counts as no. */
export function isKeptToOwner(dir: string, run: RunTool = runTool): boolean {
  try {
    return othersIn(dir, ownIdentity(run), run)?.length === 0;
  } catch {
    return false;
  }
}

/**
 * Lets nobody but the owner, the system and its administrators into a folder of Windows and what is in it.
 * @returns whether that holds now, by the lists of the folder and of each thing that stands in it.
 */
export function keepToOwner(dir: string, run: RunTool = runTool): boolean {
  try {
    const owner = ownIdentity(run);
    const isClosed = () =>
      othersIn(dir, owner, run)?.length === 0 && openEntries(dir, owner, run).length === 0;
    if (isClosed()) return true;
    closeFolder(dir, owner, run);
    closeBelow(dir, owner, run);
    return isClosed();
  } catch {
    return false;
  }
}

type FileSystemRights = {
  platform: NodeJS.Platform;
  keepToOwner(dir: string): boolean;
  changeMode(path: string, mode: number): void;
};

const thisSystem: FileSystemRights = { platform: process.platform, keepToOwner, changeMode: chmodSync };

const ownersOnly = { folder: 0o700, file: 0o600 };

/**
 * Takes the rights of group and others from a directory, its files and its backups. Where a file system knows no rights
 * nothing changes; Windows has access lists instead, which the files of a folder inherit.
 * @returns whether nobody else can read it now, as far as the system says.
 * @throws the file system's error when the directory is open to others and belongs to somebody else.
 */
export function makePrivate(dir: string, changed: Partial<FileSystemRights> = {}): boolean {
  const system = { ...thisSystem, ...changed };
  if (system.platform === "win32") return system.keepToOwner(dir);
  const restrict = (path: string, mode: number) => {
    if (!isClosed(path)) system.changeMode(path, mode);
  };
  restrict(dir, ownersOnly.folder);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) restrict(join(dir, entry.name), ownersOnly.folder);
    else if (entry.isFile()) restrict(join(dir, entry.name), ownersOnly.file);
  }
  return isClosed(dir);
}

/** Whether nobody else can read what is in a folder: by its access list on Windows, elsewhere by its mode. */
export function isPrivate(dir: string): boolean {
  return process.platform === "win32" ? isKeptToOwner(dir) : isClosed(dir);
}

/**
 * Makes an empty file of its owner alone where there is none, before SQLite makes one that others may read. SQLite takes it
 * for a new database, and gives its log and its index the same rights. What cannot be made is told by whoever opens it.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "a", ownersOnly.file));
  } catch {
    // A folder that is gone or may not be written to.
  }
}

const isClosed = (path: string): boolean => (statSync(path).mode & 0o077) === 0;
