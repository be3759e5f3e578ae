/** Finds files by glob pattern, confined to the workspace: a pattern can neither climb out nor follow a link out. */
import { isAbsolute } from "node:path";
import picomatch from "picomatch";
import { isInside } from "../paths/real-of.ts";
import { FileError, OutsideWorkspaceError } from "./file-error.ts";
import { lookAt } from "./folder-entry.ts";
import { isTemporaryName } from "./put-file.ts";
import { locate, type Place, placeBelow, withSlashes } from "./real-path.ts";
import { isIgnoredFolder, isSpent, type WalkBudget, walkFolders } from "./walk-folders.ts";

/** A file that was found; `path` is real, `relativePath` is from the workspace. */
type FoundFile = {
  readonly path: string;
  readonly relativePath: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
};

export type FoundFiles = {
  readonly files: FoundFile[];
  /** The search stopped early; there may be more. */
  readonly truncated: boolean;
};

const maxPatternLength = 500;

/** More wildcards than these can keep a backtracking matcher busy for minutes on a chosen file name. */
const maxStarsInName = 4;
const maxGroups = 4;

function checkPattern(pattern: string): void {
  const tooMany =
    pattern.length > maxPatternLength ||
    (pattern.match(/\{/g)?.length ?? 0) > maxGroups ||
    (pattern.match(/\*\*/g)?.length ?? 0) > maxGroups ||
    pattern.split("/").some((name) => (name.match(/\*/g)?.length ?? 0) > maxStarsInName);
  if (!tooMany) return;
  throw new FileError("invalid-path", pattern, "The pattern has too many wildcards. Use a simpler one.");
}

/**
 * Compiles a pattern to a test on paths with `/`. A name such as `[...slug].tsx` also matches itself.
 * @throws FileError when the pattern could take unbounded time
 */
export function compilePattern(pattern: string): (path: string) => boolean {
  checkPattern(pattern);
  const matches = picomatch(pattern, { dot: true, noextglob: true, nonegate: true });
  return (path) => path === pattern || matches(path);
}

/** The folder a pattern starts in and what must match below it; `app/[...slug]/*.ts` starts at the last plain name. */
function splitPattern(pattern: string): { base: string; rest: string } {
  const names = withSlashes(pattern).split("/");
  const wild = names.findIndex((name) => /[*?[\]{}()!]/.test(name));
  const cut = wild === -1 ? names.length - 1 : wild;
  const base = names.slice(0, cut).join("/");
  return { base: base === "" && names[0] === "" && cut > 0 ? "/" : base, rest: names.slice(cut).join("/") };
}

/** Wildcards leave generated folders out; a pattern that names one is taken at its word. */
function folderFilter(pattern: string): (name: string) => boolean {
  const named = new Set(pattern.split("/"));
  return (name) => !isIgnoredFolder(name) || named.has(name);
}

/** Where the walk begins; a granted search outside stays below the folder that was granted. */
async function locateBase(root: string, start: Place, base: string): Promise<Place> {
  if (base === "") return start;
  const from = isAbsolute(base) ? base : `${start.path}/${base}`;
  const place = await locate(root, from, { allowOutside: !start.inside });
  if (!start.inside && !isInside(start.path, place.path)) throw new OutsideWorkspaceError(from, start.path);
  return place;
}

/**
 * Files below `start` whose path matches `pattern`, sorted by path.
 * @param root the real path of the workspace
 * @param start the folder to search, already located
 * @throws OutsideWorkspaceError when the pattern climbs out of the workspace
 */
export async function findFiles(
  root: string,
  start: Place,
  pattern: string,
  limits: { readonly maxResults: number; readonly budget: WalkBudget },
): Promise<FoundFiles> {
  const { base, rest } = splitPattern(pattern);
  const matches = compilePattern(rest);
  const from = await locateBase(root, start, base);
  const files: FoundFile[] = [];
  let full = false;
  for await (const { folder, prefix, entries } of walkFolders(from.path, limits.budget, folderFilter(rest))) {
    for (const { name } of entries) {
      if (isSpent(limits.budget)) break;
      if (!matches(`${prefix}${name}`) || isTemporaryName(name)) continue;
      const entry = await lookAt(folder, name, name);
      if (entry?.kind !== "file") continue;
      full = files.length >= limits.maxResults;
      if (full) break;
      files.push({ ...placeBelow(from, `${prefix}${name}`), size: entry.size, modifiedAt: entry.modifiedAt });
    }
    if (full) break;
  }
  files.sort((a, b) => (a.relativePath < b.relativePath ? -1 : 1));
  return { files, truncated: full || limits.budget.exhausted };
}
