/** Finds the real place of a path on this disk, part by part, so that nothing is looked at which the style forbids. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { normalizePath, type PathBase, type PathStyle, standsOnDisk } from "./path-style.ts";

const maxLinks = 40;

/** The three looks that are taken at a disk, at paths as the system writes them. They throw as Node's do. */
export type DiskNames = {
  isLink(path: string): boolean;
  readLink(path: string): string;
  /** The names as they are stored, of a path without links. */
  realName(path: string): string;
};

export const ownDisk: DiskNames = {
  isLink: (path) => lstatSync(path).isSymbolicLink(),
  readLink: (path) => readlinkSync(path),
  realName: (path) => realpathSync.native(path),
};

/** The real path, or the error of the system; without one the path cannot be followed for a reason of ours. */
export type Followed = { real: string } | { error: unknown };

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);
const failed = (code: string): Followed => ({ error: Object.assign(new Error(code), { code }) });

/** What stands at a path: a link's target, something else, or nothing. */
function look(path: string, disk: DiskNames): { link: string } | "other" | "nothing" | { error: unknown } {
  try {
    return disk.isLink(path) ? { link: disk.readLink(path) } : "other";
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" || code === "ENOTDIR" ? "nothing" : { error };
  }
}

/**
 * Follows every link of an absolute path in the app's form, `..` after a link included, as the system does. The part
 * that does not exist is appended as it is written.
 *
 * @param base what is not elsewhere; see `PathStyle.place`
 */
export function followLinks(
  path: string,
  style: PathStyle,
  base: Pick<PathBase, "workspace" | "home">,
  disk: DiskNames = ownDisk,
): Followed {
  if (!path.startsWith("/") || path.includes("\0")) return failed("EINVAL");
  if (!standsOnDisk(path, style)) return { real: normalizePath(path) };
  const left = path.split("/").reverse();
  const real: string[] = [];
  let links = 0;
  let missing = 0;
  const here = () => `/${real.join("/")}`;
  while (left.length > 0) {
    const part = left.pop()!;
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (missing > 0) return failed("ENOENT");
      real.pop();
      continue;
    }
    real.push(part);
    if (missing > 0 || isRootPart(real, style)) {
      if (missing > 0) missing += 1;
      continue;
    }
    if (style.findProblem(here(), base) !== undefined) return failed("EACCES");
    const found = look(style.toNative(here()), disk);
    if (typeof found === "object" && "error" in found) return found;
    if (found === "nothing") missing = 1;
    if (typeof found !== "object") continue;
    real.pop();
    links += 1;
    if (links > maxLinks) return failed("ELOOP");
    const target = style.place(found.link.replace(/^\\\\\?\\(?=[a-z]:\\)/i, ""), {
      ...base,
      cwd: here() === "/" ? "" : here(),
    });
    if ("problem" in target) return failed("EACCES");
    real.length = 0;
    left.push(...target.path.split("/").reverse());
  }
  return style.hasOtherSpellings ? respell(real, missing, style, disk) : { real: here() };
}

/** A drive, or machine and share: nothing that a link could stand in the place of. */
function isRootPart(parts: readonly string[], style: PathStyle): boolean {
  if (style.name === "posix" || style.name === "darwin") return false;
  return /^[a-z]:$/i.test(parts[0]!) ? parts.length === 1 : parts[0] === "unc:" && parts.length <= 3;
}

/** The stored spelling of what exists: its case, long names, what a drive letter stands for. */
function respell(parts: readonly string[], missing: number, style: PathStyle, disk: DiskNames): Followed {
  const there = parts.slice(0, parts.length - missing);
  const rest = parts.slice(parts.length - missing);
  if (there.length === 0) return { real: normalizePath(rest.join("/")) };
  try {
    const stored = style.fromNative(disk.realName(style.toNative(`/${there.join("/")}`)));
    return { real: normalizePath([stored, ...rest].join("/")) };
  } catch (error) {
    return { error };
  }
}
