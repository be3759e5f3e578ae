/** What can go wrong with the data directory, each with a sentence that says what to do. */

export type StorageErrorCode =
  | "in-use"
  | "open-to-others"
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

/** The data directory could not be closed to other users of the computer. Nothing throws it: the host says it and goes on. */
export class OpenToOthersError extends StorageError {
  override name = "OpenToOthersError";
  constructor(dataDir: string) {
    super(
      "open-to-others",
      `Other users of this computer may be able to read the data directory ${dataDir}, with every thread, approval and changed file in it: it could not be closed to them. Choose another folder with --data-dir, best one inside your home folder.`,
    );
  }
}

/** What a system says when it refuses a path, as the end of a sentence. */
const refusals: Record<string, string> = {
  EEXIST: "a file stands where a folder is needed",
  ENOTDIR: "a file stands where a folder is needed",
  EISDIR: "a folder stands where a file is needed",
  ELOOP: "it runs through links that lead in a circle",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "there is no such place",
  EACCES: "your rights there do not allow it",
  EPERM: "your rights there do not allow it",
  EROFS: "that disk cannot be written",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EFBIG: "a file may not grow any further there",
  SQLITE_FULL: "the disk is full",
  SQLITE_CANTOPEN: "one of its databases cannot be opened, perhaps because a folder stands in its place",
  SQLITE_READONLY: "your rights there do not allow it",
};

/**
 * Why the system or a database refused a path, in plain words as the end of a sentence; `undefined` when that is not what
 * went wrong.
 */
export function describeRefusal(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^(?:E[A-Z0-9]+|SQLITE_[A-Z_]+)$/.test(code)) return undefined;
  const known = Object.keys(refusals).find((name) => code === name || code.startsWith(`${name}_`));
  return known === undefined ? "the system refused it" : refusals[known];
}

/**
 * An error with which a start in this data directory ended, in plain words where the system gave the reason; any other as
 * it is.
 */
export function explainUnusable(error: unknown, dataDir: string): unknown {
  const why = error instanceof StorageError ? undefined : describeRefusal(error);
  if (why === undefined) return error;
  const path = error instanceof Error && "path" in error ? String(error.path) : dataDir;
  return new StorageError(
    classifyStorageError(error)?.code ?? "unusable",
    `The data directory ${dataDir} cannot be used: ${path === dataDir ? "" : `${path}: `}${why}. Choose another with --data-dir, or mend its permissions.`,
    error,
  );
}

/** Whether the database or its disk threw this: then nothing can be written down any more, as on a full disk. */
export function isDatabaseError(error: unknown): boolean {
  if (error instanceof StorageError) return true;
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
  if (code === "EFBIG")
    return new StorageError(
      "disk-full",
      "A file may not grow any further there. Nothing was lost; raise that limit and try again.",
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
