/** What can go wrong with the data directory, each with a sentence that says what to do. */

export type StorageErrorCode =
  | "in-use"
  | "newer-version"
  | "unusable"
  | "disk-full"
  | "read-only"
  | "corrupt";

export class StorageError extends Error {
  override name = "StorageError";
  readonly code: StorageErrorCode;
  constructor(code: StorageErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Thrown when another host owns the data directory. */
export class DataDirInUseError extends StorageError {
  override name = "DataDirInUseError";
  constructor(dataDir: string) {
    super(
      "in-use",
      `Countersign is already running on ${dataDir}. Use its window, or its page in the browser (Enter in the terminal that runs it prints a new address). Or stop it first, or start with another --data-dir.`,
    );
  }
}

/** Whether the database threw this: then nothing can be written down any more, as on a full disk. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_");
}

/**
 * Turns what SQLite or the file system threw into a StorageError, or returns `undefined` when it is something else.
 * Codes: https://sqlite.org/rescode.html
 */
export function classifyStorageError(error: unknown): StorageError | undefined {
  if (error instanceof StorageError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // Graphs wrap what their tools and middleware throw.
  if (code === "" && error instanceof Error && error.cause) return classifyStorageError(error.cause);
  if (code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT")
    return new StorageError(
      "disk-full",
      "The disk is full. Nothing was lost; free some space and try again.",
      error,
    );
  if (code.startsWith("SQLITE_READONLY") || code === "EROFS" || code === "EACCES" || code === "EPERM")
    return new StorageError(
      "read-only",
      "The data directory cannot be written. Check its permissions, then try again.",
      error,
    );
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB")
    return new StorageError("corrupt", "The database file is damaged.", error);
  if (code.startsWith("SQLITE_IOERR") || code === "EIO")
    return new StorageError(
      "unusable",
      "The disk answered with an error. Check the disk, then try again.",
      error,
    );
  return undefined;
}
