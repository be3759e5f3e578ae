/** What the policy may see of the disk besides real paths: whether something is there, and the names in one folder. */
import { lstatSync, opendirSync } from "node:fs";
import type { DiskEntry, DiskLook } from "./policy-context.ts";

/** Most names of one folder, or of one tree, that are looked at; the host waits meanwhile. */
const mostNames = 4_000;

function isThere(path: string): boolean {
  try {
    lstatSync(path);
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

function entriesIn(path: string): DiskEntry[] | undefined {
  try {
    using folder = opendirSync(path);
    const entries: DiskEntry[] = [];
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      const kind = entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other";
      if (entries.push({ name: entry.name, kind }) > mostNames) return undefined;
    }
    return entries;
  } catch {
    return undefined;
  }
}

function namesIn(path: string): string[] | undefined {
  return entriesIn(path)?.map(({ name }) => name);
}

function namesBelow(path: string): string[] | undefined {
  const all: string[] = [];
  const folders = [path];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const found = entriesIn(next);
    if (found === undefined) return undefined;
    all.push(...found.map(({ name }) => name));
    for (const { name, kind } of found) if (kind === "folder") folders.push(`${next}/${name}`);
    if (all.length > mostNames) return undefined;
  }
  return all;
}

/** The disk of this machine. Links are looked at themselves and never followed. */
export const lookForNames: Omit<DiskLook, "kindOf"> = { isThere, entriesIn, namesIn, namesBelow };
