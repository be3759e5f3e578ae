/** Tells what really lies in a folder, links followed. Nothing here throws. */
import { readdirSync, statSync } from "node:fs";
import { isInside, realOf } from "../paths/real-of.ts";

/** @param root its real path. */
export function isFileInside(root: string, path: string): boolean {
  const real = realOf(path);
  return isInside(root, real) && statSync(real, { throwIfNoEntry: false })?.isFile() === true;
}

/** Of a folder that cannot be read, none. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
