/** Where a path of this system really leads, and in which folder that is, for what asks about places that may not be there. */
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** Where it really is; undefined where it leads nowhere. */
export function realOf(path: string): string | undefined {
  // Most of what is asked for is not there, and an error costs six times as much as this answer.
  if (!existsSync(path)) return undefined;
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Whether a path is `root` or lies below it, as this system writes both; they must be real and absolute. */
export function isInside(root: string, path: string | undefined): path is string {
  if (path === undefined) return false;
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
