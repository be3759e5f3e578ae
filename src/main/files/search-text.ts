/** Searches file contents for a literal text, confined to the workspace and capped in results, bytes and time. */
import { basename, dirname } from "node:path";
import { kindOfBytes, piecesOf } from "../policy/file-kind.ts";
import { FileError } from "./file-error.ts";
import { compilePattern } from "./find-files.ts";
import { type PinnedFolder, pinFolder, withFolder } from "./pinned-folder.ts";
import { isTemporaryName } from "./put-file.ts";
import { type Place, placeBelow } from "./real-path.ts";
import { decodeText, readStored } from "./stored-file.ts";
import { isIgnoredFolder, isSpent, type WalkBudget, walkFolders } from "./walk-folders.ts";

/** One line that holds the text. `line` counts from 1; a long line is cut around the match. */
type TextMatch = {
  readonly path: string;
  readonly relativePath: string;
  readonly line: number;
  readonly text: string;
};

export type TextMatches = {
  readonly matches: TextMatch[];
  /** The search stopped early; there may be more. */
  readonly truncated: boolean;
  /** Files that the search came by and was not to look into, archives and private keys among them. */
  readonly leftOut: number;
};

type SearchRequest = {
  readonly text: string;
  /** Only files whose name (or path, when it holds a `/`) matches. */
  readonly glob?: string;
  /** Files of a folder that are not looked into, by their real path; a file that is itself the start always is. */
  readonly leavesOut?: (path: string) => boolean;
  readonly maxResults: number;
  readonly budget: WalkBudget;
};

const maxSearchedFileBytes = 5_000_000;
const maxSearchedBytes = 300_000_000;
const maxLineLength = 500;
const contextBefore = 100;

type Search = {
  readonly request: SearchRequest;
  readonly needle: Buffer;
  readonly accepts: (path: string) => boolean;
  readonly matches: TextMatch[];
  bytesLeft: number;
  truncated: boolean;
  leftOut: number;
};

function cutLine(line: string, text: string): string {
  if (line.length <= maxLineLength) return line;
  const start = Math.max(0, line.indexOf(text) - contextBefore);
  const end = Math.min(line.length, start + maxLineLength);
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`;
}

function matchGlob(glob: string | undefined): (path: string) => boolean {
  if (!glob) return () => true;
  const matches = compilePattern(glob.replace(/^\.?\//, ""));
  return glob.includes("/") ? matches : (path) => matches(path.slice(path.lastIndexOf("/") + 1));
}

function isDone(search: Search): boolean {
  if (search.bytesLeft <= 0 || isSpent(search.request.budget)) search.truncated = true;
  return search.truncated;
}

function collect(search: Search, content: string, at: Pick<Place, "path" | "relativePath">): void {
  const { text, maxResults } = search.request;
  let number = 0;
  for (const line of content.split("\n")) {
    number++;
    if (!line.includes(text)) continue;
    if (search.matches.length >= maxResults) {
      search.truncated = true;
      return;
    }
    search.matches.push({ ...at, line: number, text: cutLine(line.replace(/\r$/, ""), text) });
  }
}

/** A private key, or an archive of texts; other archives are left out as all binary files are, without a word. */
function isHeld(bytes: Buffer): boolean {
  return kindOfBytes(piecesOf(bytes)) !== undefined && !bytes.includes(0);
}

async function searchFile(
  search: Search,
  folder: PinnedFolder,
  name: string,
  at: Pick<Place, "path" | "relativePath">,
  isFound: boolean,
): Promise<void> {
  let stored: Awaited<ReturnType<typeof readStored>>;
  try {
    stored = await readStored(folder, name, at.relativePath, {
      keepBytes: maxSearchedFileBytes,
      orNothing: true,
      signal: search.request.budget.signal,
    });
  } catch (cause) {
    // A file that may not be read, or became something else, does not spoil the search of the others.
    if (cause instanceof FileError) return;
    throw cause;
  }
  search.bytesLeft -= stored?.bytes?.length ?? 0;
  // Before anything is looked for: what is left out may not say whether it would have matched.
  if (isFound && stored?.bytes && isHeld(stored.bytes)) {
    search.leftOut += 1;
    return;
  }
  if (!stored?.bytes?.includes(search.needle)) return;
  const content = decodeText(stored.bytes);
  if (content !== null) collect(search, content, at);
}

async function searchFolder(search: Search, start: Place): Promise<void> {
  const { budget } = search.request;
  for await (const { folder, prefix, entries } of walkFolders(
    start.path,
    budget,
    (name) => !isIgnoredFolder(name),
  )) {
    for (const entry of entries) {
      if (isDone(search)) return;
      const below = `${prefix}${entry.name}`;
      if (!entry.isFile() || !search.accepts(below) || isTemporaryName(entry.name)) continue;
      const at = placeBelow(start, below);
      if (search.request.leavesOut?.(at.path)) search.leftOut += 1;
      else await searchFile(search, folder, entry.name, at, true);
    }
  }
  if (budget.exhausted) search.truncated = true;
}

/**
 * Lines below `start` (a folder, or one file) that hold the text. Binary files and files over 5 MB are left out.
 * @throws FileError when the glob is too complex
 */
export async function searchText(
  start: Place,
  isFolder: boolean,
  request: SearchRequest,
): Promise<TextMatches> {
  const needle = Buffer.from(request.text, "utf8");
  if (needle.length === 0) throw new FileError("no-match", start.asked, "The text to search for is empty.");
  const search: Search = {
    request,
    needle,
    accepts: matchGlob(request.glob),
    matches: [],
    bytesLeft: maxSearchedBytes,
    truncated: false,
    leftOut: 0,
  };
  if (isFolder) await searchFolder(search, start);
  else {
    const name = basename(start.path);
    await withFolder(pinFolder(dirname(start.path)), (folder) =>
      searchFile(search, folder, name, start, false),
    );
  }
  return { matches: search.matches, truncated: search.truncated, leftOut: search.leftOut };
}
