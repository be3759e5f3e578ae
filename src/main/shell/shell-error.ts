/** The one error type of the shell, so that callers can tell a refused command from one that ran and failed. */

export type ShellErrorCode =
  | "not-permitted"
  | "invalid-command"
  | "already-run"
  | "log-unavailable"
  | "start-failed"
  | "not-confined"
  | "closed";

/** A command that was refused before it started. `field` names the offending input of `shell.run`. */
export class ShellError extends Error {
  readonly code: ShellErrorCode;
  readonly field: string;

  constructor(code: ShellErrorCode, field: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ShellError";
    this.code = code;
    this.field = field;
  }
}
