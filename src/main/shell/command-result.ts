/** What is known when a command has ended. */

import type { ProcessRef } from "./ps-table.ts";

/** Why somebody ended a command: its time was up, a person stopped the turn, or this command alone, or the host went down. */
export type StopReason = "timeout" | "cancelled" | "stopped" | "killed";

export type CommandResult = {
  /** Plain text for the model: no escape sequences, LF, redrawn lines collapsed, head and tail capped in bytes. */
  output: string;
  /** Null when a signal ended the shell. */
  exitCode: number | null;
  /** The signal that ended the shell, such as `SIGKILL`. */
  signal?: string;
  /** `exited`: by itself. Otherwise why it was ended; the output up to then is kept. */
  outcome: "exited" | StopReason;
  /** Whether `output` leaves something out. The log has it. */
  truncated: boolean;
  /** Raw bytes the command wrote. */
  bytes: number;
  durationMs: number;
  logPath: string;
  /** Why the log is incomplete (disk full, size limit). */
  logFailure?: string;
  /** Processes that go on: left in the background on purpose, or impossible to end. */
  stillRunning: ProcessRef[];
  /** The system did not list its processes, so others than those may go on. */
  mayRunMore: boolean;
  /** What it made in the workspace that steers other programs, and that was moved aside after it: the names it has now. */
  setAside?: string[];
  /** Why it could not be confined: then nothing of it ran, and the rest says nothing. */
  notConfined?: string;
};
