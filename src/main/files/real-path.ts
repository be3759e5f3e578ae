/** Finds where a path really leads, links followed as the kernel would, and whether that is inside the workspace. */
import { readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { FileError, OutsideWorkspaceError, StaleFileError, systemCode, toFileError } from "./file-error.ts";

const maxLinks = 40;

/** A path after resolution: `path` is real, `relativePath` is from the workspace with `/`, or the real path when outside. */
export interface Place {
  readonly path: string;
  readonly relativePath: string;
  readonly inside: boolean;
  /** The path as it was asked for, for messages. */
  readonly asked: string;
}

interface LocateOptions {
  /** A person allowed this call to leave the workspace. */
  readonly allowOutside?: boolean;
  /** The only real path this may lead to, because it is what a person was shown. */
  readonly shownPath?: string;
  /** Do not follow a link in the last component: the link itself is meant. */
  readonly keepLink?: boolean;
}

/** Whether `path` is `root` or lies below it; both must be real absolute paths. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The path with `/` between its names, whatever the platform. */
export function withSlashes(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}

/**
 * The real path of `path`, whose last names need not exist yet.
 * `..` is resolved after links, as the kernel and a shell do, never on the text.
 * @throws FileError when it cannot be followed (a loop, no permission, a file used as a folder).
 */
async function resolveReal(path: string, linksLeft = maxLinks): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (systemCode(cause) !== "ENOENT") throw toFileError(cause, path);
  }
  const parent = dirname(path);
  if (parent === path) throw new FileError("not-found", path, `${path} does not exist.`);
  const realParent = await resolveReal(parent, linksLeft);
  const name = basename(path);
  if (name === "..") return dirname(realParent);
  if (name === ".") return realParent;
  const target = await readlink(path).catch(() => null);
  if (target === null) return join(realParent, name);
  if (linksLeft === 0) throw toFileError(Object.assign(new Error("too many links"), { code: "ELOOP" }), path);
  return resolveReal(isAbsolute(target) ? target : `${realParent}${sep}${target}`, linksLeft - 1);
}

/** The place of `below` (names with `/`) in a located folder, links in it not followed. */
export function placeBelow(folder: Place, below: string): Pick<Place, "path" | "relativePath"> {
  const path = join(folder.path, below);
  if (!folder.inside) return { path, relativePath: path };
  return { path, relativePath: folder.relativePath === "." ? below : `${folder.relativePath}/${below}` };
}

function toAbsolute(root: string, asked: string): string {
  if (asked === "" || asked.includes("\0")) {
    throw new FileError(
      "invalid-path",
      asked,
      "The path is empty or holds a zero character. Give a file path.",
    );
  }
  if (asked === "~" || asked.startsWith("~/")) return homedir() + asked.slice(1);
  // Joined as text on purpose: join() would resolve `link/..` on the text and miss where the link leads.
  return isAbsolute(asked) ? asked : `${root}${sep}${asked}`;
}

async function resolveKeepingLink(path: string): Promise<string> {
  const name = basename(path);
  if (name === "" || name === "." || name === "..") return resolveReal(path);
  return join(await resolveReal(dirname(path)), name);
}

/**
 * Where a path given by an agent really is. Relative paths start at the workspace; an absolute path
 * is what it says; `~` is the home folder, as in a shell.
 * @param root the real path of the workspace
 * @throws OutsideWorkspaceError when it leaves the workspace and that was not allowed; StaleFileError when it is not what was shown
 */
export async function locate(root: string, asked: string, options: LocateOptions = {}): Promise<Place> {
  const absolute = toAbsolute(root, asked);
  const mayLeave = options.allowOutside === true;
  let path: string;
  try {
    path = options.keepLink ? await resolveKeepingLink(absolute) : await resolveReal(absolute);
  } catch (cause) {
    // Outside, not even the kind of failure is told.
    if (!mayLeave && !isInside(root, resolve(absolute))) throw new OutsideWorkspaceError(asked, root);
    const failure = toFileError(cause, asked);
    throw new FileError(failure.code, asked, failure.message.replace(failure.path, asked), { cause });
  }
  if (options.shownPath !== undefined && path !== options.shownPath)
    throw new StaleFileError(asked, "now leads somewhere else than was shown");
  const inside = isInside(root, path);
  if (!inside && !mayLeave) throw new OutsideWorkspaceError(asked, root);
  return { path, relativePath: inside ? withSlashes(relative(root, path)) || "." : path, inside, asked };
}
