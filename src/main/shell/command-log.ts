/** Streams every byte of a command into a file, with back-pressure, so that nothing that was seen is lost in a crash. */
import { createWriteStream, mkdirSync, openSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../shared/message-of.ts";
import { ShellError } from "./shell-error.ts";

/** Bytes that may wait for the disk before the command is slowed down: a part of what a watcher may lag behind. */
const waitingBytes = 64 * 1024;

export type CommandLog = {
  readonly path: string;
  /** Why the file is incomplete (disk full, size limit), or undefined while it holds everything. */
  readonly failure: string | undefined;
  /**
   * @returns false when the disk lags behind: stop until `onDrain` was called. `onKept` is called in the order of writing,
   * when the operating system has the bytes or when they cannot be kept (see `failure`).
   */
  write(bytes: Buffer, onKept: () => void): boolean;
  /** Resolves when all bytes were handed to the operating system. Never rejects; see `failure`. */
  close(): Promise<void>;
  /** Removes the file of a command that could not be started. */
  discard(): Promise<void>;
};

type CommandLogOptions = {
  path: string;
  maxBytes: number;
  onDrain: () => void;
};

/** The log of an execution. Characters that a file name cannot hold are replaced. */
export function logPathOf(logDir: string, executionId: string): string {
  return join(logDir, `${executionId.replace(/[^A-Za-z0-9._-]/g, "_")}.log`);
}

/** The file is made exclusively: an execution that has a log has run before, in this process or an earlier one. */
function openExclusively(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new ShellError(
        "already-run",
        "executionId",
        `This execution has already run (its log is ${path}). To run the command again, start a new execution.`,
        error,
      );
    }
    const why = messageOf(error);
    throw new ShellError(
      "log-unavailable",
      "logDir",
      `The command was not started: its log cannot be written (${why}).`,
      error,
    );
  }
}

/**
 * Makes the folder for logs, readable by its owner only.
 * @throws ShellError `log-unavailable`.
 */
export function prepareLogDir(logDir: string): void {
  try {
    mkdirSync(logDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = messageOf(error);
    throw new ShellError(
      "log-unavailable",
      "logDir",
      `The folder for command logs cannot be made (${why}).`,
      error,
    );
  }
}

/**
 * Opens the log; later disk errors only end it.
 * @throws ShellError `already-run` or `log-unavailable`.
 */
export function openCommandLog(options: CommandLogOptions): CommandLog {
  const stream = createWriteStream(options.path, {
    fd: openExclusively(options.path),
    highWaterMark: waitingBytes,
  });
  let failure: string | undefined;
  let written = 0;
  stream.on("drain", options.onDrain);
  stream.on("error", (error) => {
    failure ??= error.message;
    options.onDrain();
  });
  const closed = new Promise<void>((resolve) => stream.once("close", resolve));

  function write(bytes: Buffer, onKept: () => void): boolean {
    // Nothing is written, but what was written before is told of first.
    if (failure !== undefined) {
      stream.write("", () => onKept());
      return true;
    }
    const room = options.maxBytes - written;
    written += Math.min(room, bytes.length);
    if (bytes.length <= room) return stream.write(bytes, () => onKept());
    failure = `the log stops at its limit of ${options.maxBytes} bytes`;
    stream.write(bytes.subarray(0, room));
    stream.write(`\n[${failure}]\n`, () => onKept());
    return true;
  }

  async function close(): Promise<void> {
    stream.end();
    await closed;
  }

  return {
    path: options.path,
    write,
    close,
    async discard() {
      await close();
      await rm(options.path, { force: true });
    },
    get failure() {
      return failure;
    },
  };
}
