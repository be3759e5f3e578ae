/** Finds where a path really leads, links followed as the kernel would, and whether that is inside the workspace. */
import { homedir } from "node:os";
import { sep } from "node:path";
import { type DiskNames, followLinks, ownDisk } from "../paths/follow-links.ts";
import { styleOfFiles } from "../paths/own-style.ts";
import { isWithin, normalizePath, type PathStyle, type Unseen } from "../paths/path-style.ts";
import { FileError, OutsideWorkspaceError, StaleFileError, toFileError } from "./file-error.ts";

/** A path after resolution: `path` is real, `relativePath` is from the workspace with `/`, or the real path when outside. */
export type Place = {
  readonly path: string;
  readonly relativePath: string;
  readonly inside: boolean;
  /** The path as it was asked for, for messages. */
  readonly asked: string;
};

type LocateOptions = {
  /** A person allowed this call to leave the workspace. */
  readonly allowOutside?: boolean;
  /** The only real path this may lead to, because it is what a person was shown. */
  readonly shownPath?: string;
  /** Do not follow a link in the last component: the link itself is meant. */
  readonly keepLink?: boolean;
  /** For a card: a path on another machine or drive is placed by its text, since nobody allowed a look at it yet. */
  readonly elsewhereByText?: boolean;
};

/** How the system writes paths and what is on its disk; of this system unless a test says otherwise. */
export type Disk = { style: PathStyle; names: DiskNames; home: string };

const own: Disk = { style: styleOfFiles(process.platform), names: ownDisk, home: homedir() };

/** The path with `/` between its names, whatever the platform. */
export function withSlashes(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}

/** The place of `below` (names with `/`) in a located folder, links in it not followed. */
export function placeBelow(folder: Place, below: string): Pick<Place, "path" | "relativePath"> {
  const path = `${folder.path === sep ? "" : folder.path}${sep}${below.split("/").join(sep)}`;
  if (!folder.inside) return { path, relativePath: path };
  return { path, relativePath: folder.relativePath === "." ? below : `${folder.relativePath}/${below}` };
}

type Root = { workspace: string; home: string };

/** @returns the real path in the app's form. @throws the system's error when it cannot be followed. */
function follow(path: string, root: Root, { keepLink }: LocateOptions, { style, names }: Disk): string {
  const plain = path.replace(/\/+$/, "") || "/";
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  const keeps = keepLink && name !== "" && name !== "." && name !== "..";
  const followed = followLinks(keeps ? plain.slice(0, -name.length) : plain, style, root, names);
  if ("error" in followed) throw followed.error;
  return keeps ? normalizePath(`${followed.real}/${name}`) : followed.real;
}

/** A path that nothing may look at before a person allowed just that one. */
function locateElsewhere(
  asked: string,
  { named, problem }: Extract<Unseen, { kind: "elsewhere" }>,
  root: Root,
  options: LocateOptions,
  disk: Disk,
): string {
  const { style } = disk;
  if (options.elsewhereByText) return named;
  if (options.allowOutside && options.shownPath === style.toNative(named))
    return follow(named, { ...root, workspace: named }, options, disk);
  const advice = `Use a path inside ${style.toNative(root.workspace)}.`;
  throw new FileError("outside", asked, `${asked} ${problem}. ${advice}`);
}

/**
 * Where a path given by an agent really is. Relative paths start at the workspace; an absolute path
 * is what it says; `~` is the home folder, as in a shell.
 * @param root the real path of the workspace
 * @throws OutsideWorkspaceError when it leaves the workspace and that was not allowed; StaleFileError when it is not what was shown; FileError when it cannot be a path
 */
export async function locate(
  root: string,
  asked: string,
  options: LocateOptions = {},
  disk = own,
): Promise<Place> {
  const { style } = disk;
  const workspace = style.fromNative(root);
  const base = { workspace, home: style.fromNative(disk.home) };
  const placed = style.place(asked, { ...base, cwd: workspace });
  if ("kind" in placed && placed.kind === "no file")
    throw new FileError("invalid-path", asked, `${asked} ${placed.problem}. Give a file path.`);
  const mayLeave = options.allowOutside === true || options.elsewhereByText === true;
  let real: string;
  try {
    real =
      "kind" in placed
        ? locateElsewhere(asked, placed, base, options, disk)
        : follow(placed.path, base, options, disk);
  } catch (cause) {
    // Outside, not even the kind of failure is told.
    if ("path" in placed && !mayLeave && !isWithin(normalizePath(placed.path), workspace))
      throw new OutsideWorkspaceError(asked, root);
    throw toFileError(cause, asked);
  }
  const path = style.toNative(real);
  if (options.shownPath !== undefined && path !== options.shownPath)
    throw new StaleFileError(asked, "now leads somewhere else than was shown");
  const inside = isWithin(real, workspace);
  if (!inside && !mayLeave) throw new OutsideWorkspaceError(asked, root);
  const below = real.slice(workspace === "/" ? 1 : workspace.length + 1) || ".";
  return { path, relativePath: inside ? below : path, inside, asked };
}
