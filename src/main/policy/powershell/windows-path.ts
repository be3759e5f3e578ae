/** Paths as PowerShell's commands write them: what Windows reads, the home (`~`), and no short names. */
import type { PathBase, PlacedPath } from "../../paths/path-style.ts";
import { windowsStyle } from "../../paths/windows-style.ts";

/**
 * Reads a path without a look at the disk.
 *
 * @param text the path as it was written: relative, from the drive's root, with a drive, or from the home (`~`)
 */
export function placeWindowsPath(text: string, base: PathBase): PlacedPath {
  const inHome = /^~(?=[\\/]|$)/.test(text);
  if (text.startsWith("~") && !inHome) return { problem: "names somebody's home", kind: "no file" };
  if (/~\d/.test(text)) return { problem: "may be the short name of another file", kind: "no file" };
  return windowsStyle.place(inHome ? base.home + text.slice(1) : text, base);
}
