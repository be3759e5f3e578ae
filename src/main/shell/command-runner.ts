/** Runs commands, each in a terminal of its own; this is what the shell host is for, and it runs nowhere else. */

import { setTimeout as delay } from "node:timers/promises";
import { logPathOf } from "./command-log.ts";
import { prepareConfinement } from "./confined-start.ts";
import { endTree, killGroupNow } from "./end-tree.ts";
import { buildEnvironment, inheritedEnvironment } from "./environment.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { startTimeOf } from "./process-table.ts";
import type { TreeRoot } from "./process-tree.ts";
import { type RunningCommand, startCommand } from "./running-command.ts";
import { ShellError } from "./shell-error.ts";
import type { CommandRequest, RunnerOptions } from "./shell-messages.ts";

const disposeLimitMs = 1900;

/** The commands of one process. It trusts its caller: permit and arguments were checked before. */
export class CommandRunner {
  readonly #options: RunnerOptions;
  readonly #inherited: Readonly<Record<string, string>>;
  readonly #running = new Map<string, RunningCommand>();
  /** Executions that ended and left something in the background. */
  readonly #leftBehind = new Map<string, TreeRoot>();
  readonly #killAllNow = () => {
    for (const command of this.#running.values()) killGroupNow(command.pid);
  };
  #closed = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#inherited = inheritedEnvironment({ source: process.env, allow: options.envAllowList });
    // What each command needs to know and does not change is read before the first one waits for it.
    inheritedDescriptors.find();
    startTimeOf(process.pid);
    process.once("exit", this.#killAllNow);
  }

  /** Starts a command. @throws ShellError if it cannot start; nothing has run then. */
  run(request: CommandRequest): RunningCommand {
    if (this.#closed)
      throw new ShellError("closed", "command", "The app is closing, so no command is started.");
    const { envAllowList: _allowed, logDir, maxLogBytes: _most, ...options } = this.#options;
    const { executionId, confining, cwd } = request;
    const logPath = logPathOf(logDir, executionId);
    const holding = confining && prepareConfinement({ confining, cwd, logPath });
    const extra = { ...holding?.env, ...request.env };
    const command = startCommand({
      ...request,
      ...options,
      env: buildEnvironment({ inherited: this.#inherited, extra, executionId }),
      logPath,
      holding,
    });
    this.#track(command);
    return command;
  }

  /**
   * Ends everything, background processes of earlier commands too: within 2 s where the machine keeps up, and by force
   * from then on. Afterwards `run` throws.
   */
  async disposeAll(): Promise<void> {
    this.#closed = true;
    const commands = [...this.#running.values()].map((command) => command.kill("killed"));
    const ended = new AbortController();
    const isLate = await Promise.race([
      Promise.all([...commands, ...this.#endBackground(this.#options.graceMs)]).then(() => false),
      delay(disposeLimitMs, true, { signal: ended.signal }).catch(() => false),
    ]);
    ended.abort();
    if (isLate) await Promise.all(this.#endBackground(0));
    this.#killAllNow();
    process.removeListener("exit", this.#killAllNow);
  }

  #endBackground(graceMs: number): Promise<unknown>[] {
    return [...this.#leftBehind.values()].map((root) => endTree(root, { graceMs }));
  }

  #track(command: RunningCommand): void {
    const { executionId, pid, startTime } = command;
    this.#running.set(executionId, command);
    void command.done.then(({ stillRunning }) => {
      this.#running.delete(executionId);
      // Its terminal and its log are closed, so their numbers may become something else.
      inheritedDescriptors.lookSoon();
      const root = { executionId, pid, startTime, noted: stillRunning };
      if (stillRunning.length > 0) this.#leftBehind.set(executionId, root);
    });
  }
}
