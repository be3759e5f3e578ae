/** The file system an agent sees: everything in one workspace folder, and nothing else unless a person allowed that call. */
import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type Agree, type ApprovedChange, applyApproved } from "./apply-change.ts";
import type { ChangeObserver } from "./change-observer.ts";
import {
  type ChangeLimits,
  computeChange,
  type FileChangePlan,
  type FileChangeRequest,
} from "./file-change.ts";
import { FileError, toFileError } from "./file-error.ts";
import { type FoundFiles, findFiles } from "./find-files.ts";
import { type EntryKind, lookAt } from "./folder-entry.ts";
import { type FolderListing, listFolder } from "./list-folder.ts";
import { pinFolder, withFolder } from "./pinned-folder.ts";
import { locate, type Place, withSlashes } from "./real-path.ts";
import { searchText, type TextMatches } from "./search-text.ts";
import { decodeText, readStored } from "./stored-file.ts";
import { createWalkBudget } from "./walk-folders.ts";

/** A grant for one call: a person saw that it leaves the workspace and allowed it. */
export type OutsideGrant = {
  /** Ends a reading under way. */
  readonly signal?: AbortSignal;
  readonly allowOutside?: boolean;
  /** The same for the new place of a move. */
  readonly allowTargetOutside?: boolean;
  /** For a read: the only real path it may lead to. */
  readonly shownPath?: string;
};

export type SearchOptions = OutsideGrant & {
  /** Where to search; the workspace when left out or `/`. */
  readonly path?: string | null;
  readonly maxResults?: number | null;
};

export type RawFile = {
  readonly path: string;
  readonly relativePath: string;
  readonly bytes: Buffer;
  /** The content when it is UTF-8 text; null for a binary file. */
  readonly text: string | null;
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly createdAt: number;
};

export type ApplyChangeOptions = OutsideGrant & {
  readonly observer?: ChangeObserver;
  /** Permission bits to give the file; those it has, when left out. */
  readonly mode?: number;
  /** It could be made when it was shown: what keeps it from being made now is a change since. */
  readonly wasPossible?: boolean;
};

export type WorkspaceFilesOptions = Partial<ChangeLimits> & {
  readonly maxResults?: number;
  readonly maxSearchMs?: number;
};

/** All methods throw `FileError`; paths are relative to the workspace, absolute, or start with `~`. */
export type WorkspaceFiles = {
  /** The real path of the workspace. */
  readonly root: string;
  /** Where a path leads now and whether that is inside; never throws for an outside one, of which on another machine or drive only the text is looked at. */
  resolve(path: string): Promise<Place>;
  list(path: string, grant?: OutsideGrant): Promise<FolderListing>;
  /** UTF-8 text only; throws `binary` for anything else. */
  read(path: string, grant?: OutsideGrant): Promise<RawFile & { readonly text: string }>;
  readRaw(path: string, grant?: OutsideGrant): Promise<RawFile>;
  write(path: string, content: string | Uint8Array, options?: ApplyChangeOptions): Promise<FileChangePlan>;
  edit(
    path: string,
    change: { oldString: string; newString: string; replaceAll?: boolean },
    options?: ApplyChangeOptions,
  ): Promise<FileChangePlan>;
  delete(path: string, options?: ApplyChangeOptions): Promise<FileChangePlan>;
  /** A file or a link, to a place where nothing is. */
  move(path: string, to: string, options?: ApplyChangeOptions): Promise<FileChangePlan>;
  glob(pattern: string, options?: SearchOptions): Promise<FoundFiles>;
  /** Literal text, never a regular expression. */
  grep(
    text: string,
    options?: SearchOptions & {
      readonly glob?: string | null;
      readonly leavesOut?: (path: string) => boolean;
    },
  ): Promise<TextMatches>;
  planChange(request: FileChangeRequest, grant?: OutsideGrant): Promise<FileChangePlan>;
  /** A plan is what binds; `approved` may be the plan itself, the fields of it that were stored, or a last look. */
  applyChange(
    request: FileChangeRequest,
    approved: ApprovedChange | Agree,
    options?: ApplyChangeOptions,
  ): Promise<FileChangePlan>;
};

const defaults = {
  maxFileBytes: 10_000_000,
  maxDiffBytes: 1_000_000,
  maxResults: 1_000,
  maxSearchMs: 10_000,
};
const maxWalkedEntries = 500_000;

async function readAt(place: Place, maxBytes: number, signal?: AbortSignal): Promise<RawFile> {
  const { asked, path, relativePath } = place;
  const parent = pinFolder(dirname(path));
  const limits = { keepBytes: maxBytes, orNothing: true, signal };
  const stored = await withFolder(parent, (folder) => readStored(folder, basename(path), asked, limits));
  if (stored === null) throw toFileError(Object.assign(new Error(), { code: "ENOENT" }), asked);
  const { bytes, hash, modifiedAt, createdAt } = stored;
  if (bytes === null) {
    const advice = "Read part of it with a shell command such as head, tail or sed -n.";
    throw new FileError("too-large", asked, `${asked} is larger than ${maxBytes} bytes. ${advice}`);
  }
  return { path, relativePath, bytes, text: decodeText(bytes), hash, modifiedAt, createdAt };
}

async function kindAt(place: Place): Promise<EntryKind> {
  if (dirname(place.path) === place.path) return "folder";
  const parent = pinFolder(dirname(place.path));
  const entry = await withFolder(parent, (folder) => lookAt(folder, basename(place.path), place.asked));
  if (entry === null) throw toFileError(Object.assign(new Error(), { code: "ENOENT" }), place.asked);
  return entry.kind;
}

/** Tools default to `/` when they mean the whole workspace. */
function searchStart(root: string, path: string | null | undefined): string {
  return !path || path === "/" ? root : path;
}

function createSearch(
  root: string,
  settings: typeof defaults,
): Pick<WorkspaceFiles, "glob" | "grep" | "list"> {
  const limitsOf = (options: SearchOptions) => ({
    maxResults: Math.min(options.maxResults ?? settings.maxResults, settings.maxResults),
    budget: createWalkBudget(settings.maxSearchMs, maxWalkedEntries, options.signal),
  });
  return {
    list: async (path, grant) => listFolder(root, await locate(root, searchStart(root, path), grant)),
    async glob(pattern, options = {}) {
      // A pattern that spells out the workspace starts there, wherever the search was to start.
      const start = withSlashes(pattern).startsWith(`${withSlashes(root)}/`)
        ? root
        : searchStart(root, options.path);
      // A pattern with a start of its own stays inside; the path that was shown plays no part in it then.
      const grant = start === root && options.path ? { allowOutside: false } : options;
      const place = await locate(root, start, grant);
      return findFiles(root, place, pattern, limitsOf(options));
    },
    async grep(text, { glob, leavesOut, ...options } = {}) {
      const place = await locate(root, searchStart(root, options.path), options);
      const isFolder = (await kindAt(place)) === "folder";
      return searchText(place, isFolder, { text, glob: glob ?? undefined, leavesOut, ...limitsOf(options) });
    },
  };
}

/**
 * Opens the file system of one workspace.
 * @param root the workspace folder; its real path is taken now and holds from then on
 * @throws FileError when the folder does not exist or cannot be reached
 */
export function createWorkspaceFiles(root: string, options: WorkspaceFilesOptions = {}): WorkspaceFiles {
  const settings = { ...defaults, ...options };
  let realRoot: string;
  try {
    realRoot = realpathSync.native(root);
  } catch (cause) {
    throw toFileError(cause, root);
  }
  const reachOf = ({ allowOutside = false, allowTargetOutside = false }: OutsideGrant) => ({
    allowOutside,
    allowTargetOutside,
  });
  const plan = async (request: FileChangeRequest, grant: OutsideGrant = {}) =>
    (await computeChange(realRoot, request, settings, reachOf(grant))).plan;
  const apply: WorkspaceFiles["applyChange"] = (request, approved, options = {}) =>
    applyApproved(realRoot, request, approved, { ...options, ...reachOf(options), limits: settings });
  const change = (request: FileChangeRequest, how?: ApplyChangeOptions) => apply(request, () => {}, how);
  const readRaw: WorkspaceFiles["readRaw"] = async (path, grant) =>
    readAt(await locate(realRoot, path, grant), settings.maxFileBytes, grant?.signal);
  return {
    root: realRoot,
    ...createSearch(realRoot, settings),
    resolve: (path) => locate(realRoot, path, { allowOutside: true, elsewhereByText: true }),
    readRaw,
    async read(path, grant) {
      const file = await readRaw(path, grant);
      if (file.text === null)
        throw new FileError("binary", path, `${path} is a binary file and cannot be shown as text.`);
      return { ...file, text: file.text };
    },
    write: (path, content, how) => change({ operation: "write", path, content }, how),
    edit: (path, texts, how) => change({ operation: "edit", path, ...texts }, how),
    delete: (path, how) => change({ operation: "delete", path }, how),
    move: (path, to, how) => change({ operation: "move", path, to }, how),
    planChange: plan,
    applyChange: apply,
  };
}
