/** Tells what really lies in a folder, links followed. Nothing here throws. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** @param root its real path. */
export function isFileInside(root: string, path: string): boolean {
  const real = realPathOf(path);
  return isInside(root, real) && statSync(real, { throwIfNoEntry: false })?.isFile() === true;
}

/** @param root its real path. */
export function isInside(root: string, real: string | undefined): real is string {
  if (real === undefined) return false;
  const way = relative(root, real);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** `undefined` where nothing is there, or it cannot be looked at. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Of a folder that cannot be read, none. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
