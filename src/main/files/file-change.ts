/** Works out what a write, an edit, a delete or a move would do to the disk as it is now: what the card shows and what is applied. */
import { basename, dirname } from "node:path";
import { giveWay } from "../base/give-way.ts";
import { isInside } from "../paths/real-of.ts";
import { changedLines, countChangedLines, type LineCounts } from "./changed-lines.ts";
import { FileError } from "./file-error.ts";
import { describeFolder } from "./folder-digest.ts";
import { lookAt } from "./folder-entry.ts";
import { type PinnedFolder, pinFolder, withFolder } from "./pinned-folder.ts";
import { locate, type Place } from "./real-path.ts";
import { replaceText } from "./replace-text.ts";
import { decodeText, hashBytes, readStored, type StoredFile } from "./stored-file.ts";

/** What an agent asks for. `content` belongs to write; the two strings and `replaceAll` to edit; `to` to move. */
export type FileChangeRequest = {
  readonly operation: "write" | "edit" | "delete" | "move";
  readonly path: string;
  /** Where a file is moved to; nothing is replaced there. */
  readonly to?: string;
  readonly content?: string | Uint8Array;
  readonly oldString?: string;
  readonly newString?: string;
  readonly replaceAll?: boolean;
};

/** What the request means on the disk as it is. `before` and `after` are null for no file, a binary or a too large one. */
export type FileChangePlan = LineCounts & {
  readonly operation: FileChangeRequest["operation"];
  /** The real path that will be changed. */
  readonly path: string;
  readonly relativePath: string;
  readonly inside: boolean;
  /** The place that a move gives it, real as well, where nothing is now; null for anything else. */
  readonly to: Place | null;
  /** What is there now. */
  readonly found: "nothing" | "file" | "folder" | "link";
  readonly before: string | null;
  readonly after: string | null;
  /** SHA-256 of what is there now; null for nothing. */
  readonly beforeHash: string | null;
  /** Of what will be there, for a move at its new place. */
  readonly afterHash: string | null;
  /** SHA-256 of the lines an edit takes away and puts in, whatever stands around them; null for a write or a delete. */
  readonly differenceHash: string | null;
  readonly tooLarge: boolean;
  readonly binary: boolean;
  /** Places an edit replaces; files and folders a folder's delete removes; otherwise 1. */
  readonly count: number;
};

export type ChangeLimits = {
  /** The largest file that is edited or read, in bytes. */
  readonly maxFileBytes: number;
  /** The largest text shown as a diff, in bytes. */
  readonly maxDiffBytes: number;
};

/** The plan with what the effect needs beside it. */
export type ComputedChange = {
  readonly plan: FileChangePlan;
  readonly place: Place;
  readonly stored: StoredFile | null;
  /** The bytes to be written; null for a delete or a move. */
  readonly bytes: Uint8Array | null;
};

type Found = {
  readonly kind: FileChangePlan["found"];
  readonly hash: string | null;
  readonly stored: StoredFile | null;
  readonly count: number;
};

const nothing: Found = { kind: "nothing", hash: null, stored: null, count: 1 };

/** What is at a place now, with the hash that a later effect is compared with. `folder` is the pinned parent. */
export async function findAt(folder: PinnedFolder, place: Place, keepBytes: number): Promise<Found> {
  const name = basename(place.path);
  const entry = await lookAt(folder, name, place.asked);
  if (entry === null) return nothing;
  if (entry.kind === "link") {
    return { kind: "link", hash: hashBytes(Buffer.from(`link:${entry.target}`)), stored: null, count: 1 };
  }
  if (entry.kind === "folder") {
    const { hash, count } = await describeFolder(place.path, place.asked);
    return { kind: "folder", hash, stored: null, count };
  }
  const stored = await readStored(folder, name, place.asked, { keepBytes });
  return stored === null ? nothing : { kind: "file", hash: stored.hash, stored, count: 1 };
}

async function findNow(place: Place, keepBytes: number): Promise<Found> {
  try {
    return await withFolder(pinFolder(dirname(place.path)), (folder) => findAt(folder, place, keepBytes));
  } catch (cause) {
    if (cause instanceof FileError && cause.code === "not-found") return nothing;
    throw cause;
  }
}

function editBytes(request: FileChangeRequest, found: Found): { bytes: Uint8Array; count: number } {
  const { path } = request;
  if (found.stored === null)
    throw new FileError("not-found", path, `${path} does not exist. Write it instead.`);
  if (found.stored.bytes === null) {
    throw new FileError(
      "too-large",
      path,
      `${path} is too large to edit here. Use a shell command such as sed.`,
    );
  }
  const text = decodeText(found.stored.bytes);
  if (text === null) {
    throw new FileError("binary", path, `${path} is not UTF-8 text and cannot be edited as text.`);
  }
  const { oldString = "", newString = "", replaceAll = false } = request;
  const edited = replaceText(text, path, { oldString, newString, replaceAll });
  return { bytes: Buffer.from(edited.text, "utf8"), count: edited.occurrences };
}

/** Files and links only: what a folder holds would have to be judged one by one. */
function movedBytes(path: string, found: Found): { bytes: null; count: number } {
  if (found.kind === "nothing")
    throw new FileError("not-found", path, `${path} does not exist; nothing to move.`);
  if (found.kind === "folder")
    throw new FileError(
      "not-a-file",
      path,
      `${path} is a folder, and only files are moved. Move its files, or use a shell command such as mv.`,
    );
  return { bytes: null, count: 1 };
}

function newBytes(request: FileChangeRequest, found: Found): { bytes: Uint8Array | null; count: number } {
  const { operation, path, content } = request;
  if (operation === "delete") {
    if (found.kind === "nothing")
      throw new FileError("not-found", path, `${path} does not exist; nothing to delete.`);
    return { bytes: null, count: found.count };
  }
  if (operation === "move") return movedBytes(path, found);
  if (found.kind === "folder") {
    throw new FileError("not-a-file", path, `${path} is a folder. Give the path of a file in it.`);
  }
  if (operation === "edit") return editBytes(request, found);
  if (content === undefined)
    throw new FileError("no-match", path, `No content was given to write to ${path}.`);
  return { bytes: typeof content === "string" ? Buffer.from(content, "utf8") : content, count: 1 };
}

/** An edit of other lines by somebody else leaves this as it is. */
function hashDifference({ operation }: FileChangeRequest, found: Found, bytes: Uint8Array | null) {
  const old = found.stored?.bytes;
  if (operation !== "edit" || !old || !bytes) return null;
  const [before, after] = changedLines(old.toString("utf8"), Buffer.from(bytes).toString("utf8"));
  return hashBytes(Buffer.from(`${before.length}:${before}${after}`));
}

function describe(found: Found, bytes: Uint8Array | null, limits: ChangeLimits) {
  const old = found.kind === "file" ? (found.stored?.bytes ?? null) : null;
  const unread = found.kind === "file" && old === null;
  const tooLarge = unread || Math.max(old?.length ?? 0, bytes?.length ?? 0) > limits.maxDiffBytes;
  const before = old && decodeText(old);
  const after = bytes && decodeText(bytes);
  const binary = (old !== null && before === null) || (bytes !== null && after === null);
  const counts = binary || unread ? { added: 0, removed: 0 } : countChangedLines(before, after);
  const shown = !binary && !tooLarge;
  return { ...counts, tooLarge, binary, before: shown ? before : null, after: shown ? after : null };
}

/** What a move does to the content. */
const unchanged = { added: 0, removed: 0, tooLarge: false, binary: false, before: null, after: null };

/** Nobody means to delete the folder everything else is relative to, nor one that holds it. */
function refuseRoot(root: string, place: Place): void {
  if (!isInside(place.path, root)) return;
  throw new FileError(
    "invalid-path",
    place.asked,
    `${place.asked} is the workspace folder itself or holds it. Name a file or folder inside it.`,
  );
}

/** The place nothing may be at yet: what is there would be lost. */
async function findNewPlace(root: string, asked: string, allowOutside: boolean): Promise<Place> {
  const place = await locate(root, asked, { allowOutside, keepLink: true });
  const { kind } = await findNow(place, 0);
  if (kind === "nothing") return place;
  const advice = "Nothing is replaced: give another path, or change what is there first.";
  throw new FileError(
    "exists",
    asked,
    `${asked} is there already${kind === "folder" ? ", as a folder" : ""}. ${advice}`,
  );
}

/** Whether the request means a link itself, and not what it leads to. */
export function meansLink({ operation }: FileChangeRequest): boolean {
  return operation === "delete" || operation === "move";
}

/** What a change may reach outside of the workspace. */
export type OutsideReach = {
  readonly allowOutside: boolean;
  /** For the new place of a move. */
  readonly allowTargetOutside: boolean;
};

/**
 * Reads the disk and computes the change without making it.
 * @param root the real path of the workspace
 * @throws FileError when the request cannot be carried out on what is there
 */
export async function computeChange(
  root: string,
  request: FileChangeRequest,
  limits: ChangeLimits,
  { allowOutside, allowTargetOutside }: OutsideReach,
): Promise<ComputedChange> {
  const place = await locate(root, request.path, { allowOutside, keepLink: meansLink(request) });
  refuseRoot(root, place);
  const found = await findNow(place, limits.maxFileBytes);
  const { bytes, count } = newBytes(request, found);
  // Between reading the disk, hashing and counting lines others get on; none of it is done to the disk yet.
  await giveWay();
  const moves = request.operation === "move";
  const to = moves ? await findNewPlace(root, request.to ?? "", allowTargetOutside) : null;
  const differenceHash = hashDifference(request, found, bytes);
  await giveWay();
  const plan: FileChangePlan = {
    operation: request.operation,
    path: place.path,
    relativePath: place.relativePath,
    inside: place.inside,
    to,
    found: found.kind,
    beforeHash: found.hash,
    afterHash: moves ? found.hash : bytes && hashBytes(bytes),
    differenceHash,
    count,
    ...(moves ? unchanged : describe(found, bytes, limits)),
  };
  return { plan, place, stored: found.stored, bytes };
}
