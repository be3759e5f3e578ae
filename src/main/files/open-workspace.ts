/** Looks at a folder before it becomes a workspace, and at the folders one could choose. */
import { constants } from "node:fs";
import { access, readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { FileError, howToGiveAccess, systemCode, toFileError } from "./file-error.ts";

/** A folder that can be opened. Without write permission agents may still read in it. */
type OpenedWorkspace = {
  /** The real path. */
  readonly path: string;
  readonly name: string;
  readonly writable: boolean;
};

/** What `workspaces.browse` answers: real absolute paths, hidden folders last. */
type BrowsedFolder = {
  readonly path: string;
  readonly parent: string | null;
  readonly folders: string[];
  /** At the top of a drive of Windows its drives, since nothing stands above them; else none. */
  readonly drives: string[];
  readonly writable: boolean;
};

type System = {
  platform: NodeJS.Platform;
  /** Whether there is a drive; may take for ever where it is a share of a machine that does not answer. */
  isThere(drive: string): Promise<boolean>;
};

const thisSystem: System = {
  platform: process.platform,
  isThere: (drive) =>
    stat(drive).then(
      () => true,
      (cause) => systemCode(cause) !== "ENOENT",
    ),
};

const maxFolders = 2_000;
/** A drive that says nothing for so long is listed: choosing it tells what is wrong with it. */
const drivePatienceMs = 1_500;
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function explain(cause: unknown, path: string): FileError {
  const code = systemCode(cause);
  const say = (kind: FileError["code"], why: string) => new FileError(kind, path, why, { cause });
  if (code === "ENOENT")
    return say("not-found", `There is no folder ${path}. Check the path, or create the folder first.`);
  if (code === "ENOTDIR")
    return say("not-a-folder", `${path} is not a folder. Choose the folder that holds it.`);
  if (code === "EACCES" || code === "EPERM") {
    const access = howToGiveAccess(code, process.platform) ?? "give yourself permission to it";
    return say("permission", `${path} may not be read: ${access}, or choose another folder.`);
  }
  return toFileError(cause, path);
}

function expandHome(path: string, platform: NodeJS.Platform): string {
  const isBelowHome = path.startsWith("~/") || (platform === "win32" && path.startsWith("~\\"));
  if (path === "~" || isBelowHome) return homedir() + path.slice(1);
  if (isAbsolute(path)) return path;
  throw new FileError(
    "invalid-path",
    path,
    `${path} is not a full path. Start it with / (or a drive) or with ~.`,
  );
}

/**
 * Checks that a path is a folder that can be read.
 * @param path absolute, or starting with `~`
 * @throws FileError `not-found`, `not-a-folder`, `permission` or `invalid-path`, saying what to do
 */
export async function openWorkspace(path: string, platform = process.platform): Promise<OpenedWorkspace> {
  try {
    const real = await realpath(expandHome(path, platform));
    if (!(await stat(real)).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
    await access(real, constants.R_OK | constants.X_OK);
    return { path: real, name: basename(real) || real, writable: await isWritable(real) };
  } catch (cause) {
    throw explain(cause, path);
  }
}

async function findDrives({ isThere }: System): Promise<string[]> {
  const silent = Promise.withResolvers<boolean>();
  const patience = setTimeout(() => silent.resolve(true), drivePatienceMs);
  const drives = letters.map((letter) => `${letter}:\\`);
  const found = await Promise.all(drives.map((drive) => Promise.race([isThere(drive), silent.promise])));
  clearTimeout(patience);
  return drives.filter((_, at) => found[at]);
}

/** The folders in a folder, for choosing one. @throws FileError as `openWorkspace` does */
export async function browseFolders(path: string, system = thisSystem): Promise<BrowsedFolder> {
  const { path: real, writable } = await openWorkspace(path, system.platform);
  const entries = await readdir(real, { withFileTypes: true }).catch((cause) => {
    throw explain(cause, path);
  });
  const folders: string[] = [];
  for (const entry of entries) {
    if (folders.length >= maxFolders) break;
    const leads =
      entry.isSymbolicLink() && (await stat(join(real, entry.name)).catch(() => null))?.isDirectory();
    if (entry.isDirectory() || leads) folders.push(entry.name);
  }
  const isHidden = (name: string) => Number(name.startsWith("."));
  folders.sort((a, b) => isHidden(a) - isHidden(b) || a.localeCompare(b));
  const parent = dirname(real);
  return {
    path: real,
    parent: parent === real ? null : parent,
    folders: folders.map((name) => join(real, name)),
    drives: system.platform === "win32" && parent === real ? await findDrives(system) : [],
    writable,
  };
}
