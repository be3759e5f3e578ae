/** Reads one regular file out of a pinned folder: never a link, a pipe or a device, never without a size limit. */

import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { giveWay } from "../base/give-way.ts";
import { FileError, StaleFileError, systemCode, toFileError } from "./file-error.ts";
import type { PinnedFolder } from "./pinned-folder.ts";
import { readFlags } from "./read-whole.ts";

/** A file as it was at one moment. `bytes` is null when it is larger than the caller wanted to hold. */
export type StoredFile = {
  readonly bytes: Buffer | null;
  /** SHA-256 of the whole content, in hex, also when `bytes` is null; empty where a larger file need not be known. */
  readonly hash: string;
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly createdAt: number;
};

const chunkBytes = 256 * 1024;

/** SHA-256 in hex. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The same of a content that may be large, a piece at a time, so that the window is answered meanwhile. */
export async function hashInPieces(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    if (at > 0) await giveWay();
    hash.update(bytes.subarray(at, at + chunkBytes));
  }
  return hash.digest("hex");
}

async function openRegular(folder: PinnedFolder, name: string, shown: string): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(folder.at(name), readFlags);
  } catch (cause) {
    if (systemCode(cause) === "ELOOP") throw new StaleFileError(shown, "became a link after it was checked");
    if (systemCode(cause) === "ENXIO") throw notRegular(shown);
    throw toFileError(cause, shown);
  }
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw toFileError(Object.assign(new Error(), { code: "EISDIR" }), shown);
    if (!stat.isFile()) throw notRegular(shown);
    await folder.verify();
    return handle;
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

function notRegular(shown: string): FileError {
  return new FileError(
    "not-a-file",
    shown,
    `${shown} is a pipe, socket or device, not a file. It cannot be read here.`,
  );
}

async function readAll(
  handle: FileHandle,
  { keepBytes, signal }: ReadLimits,
): Promise<Pick<StoredFile, "bytes" | "hash" | "size">> {
  const hash = createHash("sha256");
  const kept: Buffer[] = [];
  let size = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, size);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    size += bytesRead;
    if (size <= keepBytes) kept.push(chunk);
  }
  return { bytes: size <= keepBytes ? Buffer.concat(kept) : null, hash: hash.digest("hex"), size };
}

/** The hash of an open file, read a piece at a time. */
export async function hashOpen(handle: FileHandle): Promise<string> {
  return (await readAll(handle, { keepBytes: 0 })).hash;
}

/** How much of a file is read. */
export type ReadLimits = {
  /** The largest content to hold in memory; a larger file is only hashed. */
  readonly keepBytes: number;
  /** Leaves a larger file unread: whoever only shows or searches it has no use for its hash. */
  readonly orNothing?: boolean;
  readonly signal?: AbortSignal;
};

/**
 * The file `name` of the folder, or null when there is none.
 * @param shown how messages call it
 * @throws FileError when it is no regular file or may not be read; StaleFileError when it became a link; the signal's
 *   reason
 */
export async function readStored(
  folder: PinnedFolder,
  name: string,
  shown: string,
  limits: ReadLimits,
): Promise<StoredFile | null> {
  let handle: FileHandle;
  try {
    handle = await openRegular(folder, name, shown);
  } catch (cause) {
    if (cause instanceof FileError && cause.code === "not-found") return null;
    throw cause;
  }
  try {
    const { size } = await handle.stat();
    const isSkipped = limits.orNothing === true && size > limits.keepBytes;
    const content = isSkipped ? { bytes: null, hash: "", size } : await readAll(handle, limits);
    const { mode, uid, gid, mtimeMs, birthtimeMs } = await handle.stat();
    return { ...content, mode: mode & 0o7777, uid, gid, modifiedAt: mtimeMs, createdAt: birthtimeMs };
  } catch (cause) {
    limits.signal?.throwIfAborted();
    throw toFileError(cause, shown);
  } finally {
    await handle.close();
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes as text that encodes back to the same bytes, or null when they are not UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
