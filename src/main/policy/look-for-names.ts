/** What the policy may see of the disk besides real paths: whether something is there, and the names in one folder. */
import { lstatSync, opendirSync } from "node:fs";
import type { DiskLook } from "./shell-context.ts";

/** Most names of one folder, or of one tree, that are looked at; the host waits meanwhile. */
const mostNames = 4_000;

/** The policy writes `/c:/work` for a folder that Windows calls `c:/work`. */
function native(path: string): string {
  return process.platform === "win32" ? path.replace(/^\/(?=[A-Za-z]:)/, "") : path;
}

function isThere(path: string): boolean {
  try {
    lstatSync(native(path));
    return true;
  } catch (error) {
    // What may not be looked at may be there.
    return !(
      error instanceof Error &&
      "code" in error &&
      (error.code === "ENOENT" || error.code === "ENOTDIR")
    );
  }
}

function namesIn(path: string): { names: string[]; folders: string[] } | undefined {
  try {
    using folder = opendirSync(native(path));
    const names: string[] = [];
    const folders: string[] = [];
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (names.push(entry.name) > mostNames) return undefined;
      if (entry.isDirectory()) folders.push(`${path}/${entry.name}`);
    }
    return { names, folders };
  } catch {
    return undefined;
  }
}

function namesBelow(path: string): string[] | undefined {
  const all: string[] = [];
  const folders = [path];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const found = namesIn(next);
    if (found === undefined) return undefined;
    all.push(...found.names);
    folders.push(...found.folders);
    if (all.length > mostNames) return undefined;
  }
  return all;
}

/** The disk of this machine. Links are looked at themselves and never followed. */
export const lookForNames: DiskLook = { isThere, namesIn: (path) => namesIn(path)?.names, namesBelow };
