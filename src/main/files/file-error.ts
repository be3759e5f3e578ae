/** Every way a file operation can fail, typed, in words that tell the reader what to do next. */
import { messageOf } from "../../shared/message-of.ts";

type FileErrorCode =
  | "outside"
  | "stale"
  | "not-found"
  | "exists"
  | "not-a-file"
  | "not-a-folder"
  | "binary"
  | "too-large"
  | "no-match"
  | "permission"
  | "busy"
  | "read-only"
  | "disk-full"
  | "invalid-path"
  | "io";

/** A refused or failed file operation; `path` is the path as it was asked for, `message` is fit for a model or a person. */
export class FileError extends Error {
  readonly code: FileErrorCode;
  readonly path: string;
  constructor(code: FileErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FileError";
    this.code = code;
    this.path = path;
  }
}

/** The path is, or leads through a link to, somewhere outside the workspace. */
export class OutsideWorkspaceError extends FileError {
  constructor(path: string, root: string) {
    super(
      "outside",
      path,
      `${path} is outside the workspace ${root}. Use a path inside it, relative to the workspace or starting with ${root}.`,
    );
    this.name = "OutsideWorkspaceError";
  }
}

/** What is on disk is no longer what was looked at; nothing was written. */
export class StaleFileError extends FileError {
  constructor(path: string, why: string) {
    super("stale", path, `${path} ${why}. Nothing was changed; read it again and make the change anew.`);
    this.name = "StaleFileError";
  }
}

const denied = "cannot be used: the system denies permission. Choose another path or change its permissions.";

const explanations: Record<string, [FileErrorCode, string]> = {
  ENOENT: ["not-found", "does not exist. Check the path, or list its folder."],
  ENOTDIR: ["not-a-folder", "runs through something that is not a folder. Check the path."],
  EISDIR: ["not-a-file", "is a folder, not a file. List it instead."],
  EACCES: ["permission", denied],
  EPERM: ["permission", denied],
  EBUSY: ["busy", "could not be changed: another program has it open. Close it there, then try again."],
  EXDEV: ["io", "lies on another disk than the new place. Use a shell command such as mv."],
  EROFS: ["read-only", "is on a read-only file system. Choose another place."],
  ENOSPC: ["disk-full", "could not be written: the disk is full. Free some space and try again."],
  EFBIG: [
    "disk-full",
    "could not be written: a file may not grow any further there. Raise that limit, or write less.",
  ],
  EDQUOT: ["disk-full", "could not be written: the disk quota is used up. Free some space and try again."],
  ENAMETOOLONG: ["invalid-path", "is too long a path for this file system. Choose a shorter name."],
  EINVAL: ["invalid-path", "is not a valid path here. Choose another name."],
  ERR_INVALID_ARG_VALUE: ["invalid-path", "is not a valid path here. Choose another name."],
  ELOOP: ["invalid-path", "runs through links that lead in a circle. Use the real path."],
};

/** The system's code of an error, such as `ENOENT`; an empty string when it has none. */
export function systemCode(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

/** What a person does about a folder that may not be read. macOS keeps some from every app that was not allowed in. */
export function howToGiveAccess(code: string, platform: NodeJS.Platform): string | undefined {
  return platform === "darwin" && code === "EPERM"
    ? "allow this app to use it in System Settings → Privacy & Security → Files and Folders"
    : undefined;
}

/** The failure with the name of what an attempt left on disk, which nobody would look for. */
export function namingLeftover(failure: FileError, left: string): FileError {
  return new FileError(failure.code, failure.path, `${failure.message} ${left}`, { cause: failure });
}

/** Turns whatever a system call threw into a `FileError`; one that already is passes through. */
export function toFileError(
  cause: unknown,
  path: string,
  platform: NodeJS.Platform = process.platform,
): FileError {
  if (cause instanceof FileError) return cause;
  const access = howToGiveAccess(systemCode(cause), platform);
  if (access !== undefined)
    return new FileError("permission", path, `${path} is kept from this app by macOS: ${access}.`, { cause });
  const known = explanations[systemCode(cause)];
  if (known) return new FileError(known[0], path, `${path} ${known[1]}`, { cause });
  const why = messageOf(cause);
  return new FileError("io", path, `${path} could not be used: ${why}`, { cause });
}
