/** What is checked in the host before a command is handed on: its permit and everything a caller can get wrong. */

import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CommandShell } from "../../shared/command-shell.ts";
import { assertHarmless } from "./environment.ts";
import type { RunOptions, ShellOptions } from "./shell.ts";
import { isTooLong } from "./shell-arguments.ts";
import { ShellError } from "./shell-error.ts";

function assertPermitted(options: RunOptions, assertPermit: ShellOptions["assertPermit"]): void {
  const { permit, executionId, width = "outside" } = options;
  if (executionId === "" || permit?.executionId !== executionId) {
    throw new ShellError(
      "not-permitted",
      "permit",
      "The permit is for another execution. The command was not started.",
    );
  }
  try {
    assertPermit(permit, width);
  } catch (error) {
    throw new ShellError(
      "not-permitted",
      "permit",
      "No execution was started for this command, so it was not run.",
      error,
    );
  }
}

/** Why the shell would start no command of this text, whoever said yes to it. */
export function whyNeverStarted(command: string, commandShell: CommandShell): string | undefined {
  if (command.trim() === "") return "The command is empty. Give a command to run.";
  if (command.includes("\0")) return "The command holds a NUL character. Remove it.";
  return isTooLong(commandShell, command, process.platform)
    ? "The command is too long. Write it to a script file and run that."
    : undefined;
}

function assertRunnable({ command, cwd, timeoutMs, env }: RunOptions, commandShell: CommandShell): void {
  const refuse = (field: string, message: string) => new ShellError("invalid-command", field, message);
  const why = whyNeverStarted(command, commandShell);
  if (why !== undefined) throw refuse("command", why);
  if (!isAbsolute(cwd) || !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw refuse("cwd", `There is no folder ${cwd}. Give the absolute path of an existing folder.`);
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw refuse("timeoutMs", "The time limit must be more than 0 ms.");
  }
  assertHarmless(env ?? {});
}

/** @throws ShellError `not-permitted` or `invalid-command`; nothing has run then. */
export function assertMayRun(
  request: RunOptions,
  assertPermit: ShellOptions["assertPermit"],
  commandShell: CommandShell,
): void {
  assertPermitted(request, assertPermit);
  assertRunnable(request, commandShell);
}
