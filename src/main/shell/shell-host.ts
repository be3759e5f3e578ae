/** The shell host's side of the channel: runs each command that the host asks for in a terminal of its own, and ends everything when the host is gone. */

import { setTimeout as delay } from "node:timers/promises";
import type { WholeLook } from "../sandbox/remembered-entries.ts";
import { logPathOf } from "./command-log.ts";
import type { CommandResult } from "./command-result.ts";
import { type Holding, lookAhead, noteCompany, prepareConfinement } from "./confined-start.ts";
import { endTree, killGroupNow } from "./end-tree.ts";
import { buildEnvironment, inheritedEnvironment } from "./environment.ts";
import { type HeldProgram, type HeldRequest, holdProgram, notStarted } from "./held-program.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { OutputWindow } from "./output-window.ts";
import { startTimeOf } from "./process-table.ts";
import type { TreeRoot } from "./process-tree.ts";
import { type RunningCommand, startCommand } from "./running-command.ts";
import { ShellError } from "./shell-error.ts";
import type { CommandRequest, FromShellHost, RunnerOptions, ToShellHost } from "./shell-messages.ts";

/** The way to the host, whichever kind of process this is. */
export type HostChannel = {
  send(message: FromShellHost): void;
  onMessage(listener: (message: ToShellHost) => void): void;
  /** The host is gone: it closed, or it died. */
  onClose(listener: () => void): void;
};

type OfCommand = Exclude<
  Extract<ToShellHost, { executionId: string }>,
  { type: "watch" | "guard" | "unguard" | "lookAhead" }
>;

/** Of a program that the host started itself; nobody waits for it any more. */
const guardedGraceMs = 600;
const disposeLimitMs = 1900;
/** A row takes less to go to the disk; what is older says too little of the folder. */
const lookLastsMs = 200;

/** The commands of this process. It trusts its host: permit and arguments were checked there. */
class ShellHost {
  readonly #send: (message: FromShellHost) => void;
  readonly #options: RunnerOptions;
  readonly #inherited: Readonly<Record<string, string>>;
  /** Until the host has heard of their end. */
  readonly #commands = new Map<string, RunningCommand>();
  readonly #running = new Set<RunningCommand>();
  readonly #holdings = new Set<Holding>();
  /** What was looked at for commands that were not asked for yet. */
  readonly #looksAhead = new Map<string, WholeLook>();
  /** Executions that ended and left something in the background. */
  readonly #leftBehind = new Map<string, TreeRoot>();
  readonly #windows = new Map<number, OutputWindow>();
  readonly #guarded = new Map<string, TreeRoot>();
  readonly #held = new Map<number, HeldProgram>();
  readonly #killAllNow = () => {
    for (const command of this.#running) killGroupNow(command.pid);
    for (const held of this.#held.values()) held.letGo();
  };
  #closed = false;

  constructor(send: HostChannel["send"], options: RunnerOptions) {
    this.#send = send;
    this.#options = options;
    this.#inherited = inheritedEnvironment({ source: process.env, allow: options.envAllowList });
    // What each command needs to know and does not change is read before the first one waits for it.
    inheritedDescriptors.find();
    startTimeOf(process.pid);
    process.once("exit", this.#killAllNow);
  }

  hear(message: Exclude<ToShellHost, { type: "open" }>): void {
    if (message.type === "guard") this.#guarded.set(message.executionId, message);
    else if (message.type === "unguard") this.#guarded.delete(message.executionId);
    else if (message.type === "hold") this.#hold(message.heldId, message.request);
    else if (message.type === "letGo") this.#held.get(message.heldId)?.letGo();
    else if ("subscriptionId" in message) this.#hearOfWatcher(message);
    else if (message.type === "lookAhead") this.#lookAhead(message);
    else if ("executionId" in message) this.#hearOfCommand(message);
    else if (message.type === "run") this.#answerRun(message.request);
    else if (message.type === "beat") this.#send({ type: "beat" });
    else void this.disposeAll().then(() => this.#send({ type: "disposed" }));
  }

  /** Ends everything. No command is started afterwards. */
  async disposeAll(): Promise<void> {
    const guarded = [...this.#guarded.values()];
    this.#guarded.clear();
    await Promise.all([
      this.#endCommands(),
      ...guarded.map((root) => endTree(root, { graceMs: guardedGraceMs })),
    ]);
  }

  /** Background processes of earlier commands too: within 2 s where the machine keeps up, and by force from then on. */
  async #endCommands(): Promise<void> {
    this.#closed = true;
    for (const held of this.#held.values()) held.letGo();
    const commands = [...this.#running].map((command) => command.kill("killed"));
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

  #hold(heldId: number, request: HeldRequest): void {
    const held = this.#closed ? notStarted("the app is closing") : holdProgram(request);
    this.#held.set(heldId, held);
    void held.ready.then((pid) => this.#send({ type: "ready", heldId, pid }));
    void held.gone.then((said) => {
      this.#held.delete(heldId);
      this.#send({ type: "gone", heldId, said });
    });
  }

  #endBackground(graceMs: number): Promise<unknown>[] {
    return [...this.#leftBehind.values()].map((root) => endTree(root, { graceMs }));
  }

  #hearOfCommand(message: OfCommand): void {
    const command = this.#commands.get(message.executionId);
    if (message.type === "write") command?.write(message.data);
    else if (message.type === "resize") command?.resize(message.cols, message.rows);
    else if (message.type === "kill") void command?.kill(message.reason);
    else this.#commands.delete(message.executionId);
  }

  #hearOfWatcher(message: Extract<ToShellHost, { subscriptionId: number }>): void {
    const { subscriptionId } = message;
    const window = this.#windows.get(subscriptionId);
    if (message.type === "watch") this.#watch(subscriptionId, message.executionId, message.paused);
    else if (message.type === "pause") window?.pause(message.paused);
    else if (message.type === "took") window?.confirm(message.chars);
    else {
      window?.close();
      this.#windows.delete(subscriptionId);
    }
  }

  /** Another command may come in between, or none. */
  #lookAhead({ executionId, ...where }: Extract<ToShellHost, { type: "lookAhead" }>): void {
    try {
      this.#looksAhead.set(executionId, lookAhead(where));
    } catch {
      // The command that cannot be confined is told so.
    }
    setTimeout(() => this.#looksAhead.delete(executionId), lookLastsMs).unref();
  }

  #answerRun(request: CommandRequest): void {
    const { executionId } = request;
    try {
      const command = this.#run(request);
      this.#send({ type: "started", executionId, pid: command.pid, startTime: command.startTime });
      void command.done.then((result) => this.#send({ type: "ended", executionId, result }));
    } catch (error) {
      if (!(error instanceof ShellError)) throw error;
      const { code, field, message } = error;
      this.#send({ type: "refused", executionId, code, field, message });
    }
  }

  /** @throws ShellError if it cannot start; nothing has run then. */
  #run(request: CommandRequest): RunningCommand {
    if (this.#closed)
      throw new ShellError("closed", "command", "The app is closing, so no command is started.");
    const { envAllowList: _allowed, logDir, maxLogBytes: _most, ...options } = this.#options;
    const { executionId, confining, cwd } = request;
    const logPath = logPathOf(logDir, executionId);
    const holding =
      confining && prepareConfinement({ confining, cwd, logPath }, this.#looksAhead.get(executionId));
    const extra = { ...holding?.env, ...request.env };
    const command = startCommand({
      ...request,
      ...options,
      env: buildEnvironment({ inherited: this.#inherited, extra, executionId }),
      logPath,
      holding,
    });
    this.#commands.set(executionId, command);
    this.#running.add(command);
    if (holding !== undefined) {
      noteCompany(holding, this.#holdings);
      this.#holdings.add(holding);
      void command.done.then(() => this.#holdings.delete(holding));
    }
    void command.done.then(({ stillRunning }) => this.#noteEnd(command, stillRunning));
    return command;
  }

  #noteEnd(command: RunningCommand, stillRunning: CommandResult["stillRunning"]): void {
    const { executionId, pid, startTime } = command;
    this.#running.delete(command);
    // Its terminal and its log are closed, so their numbers may become something else.
    inheritedDescriptors.lookSoon();
    if (stillRunning.length > 0)
      this.#leftBehind.set(executionId, { executionId, pid, startTime, noted: stillRunning });
  }

  #watch(subscriptionId: number, executionId: string, paused: boolean): void {
    const command = this.#commands.get(executionId);
    if (command === undefined) {
      // It was refused; whoever asked to watch it before that was known sees its end.
      this.#send({ type: "told", subscriptionId, event: { type: "ended" } });
      return;
    }
    const window = new OutputWindow(command, paused, (event) => {
      if (event.type === "ended") this.#windows.delete(subscriptionId);
      this.#send({ type: "told", subscriptionId, event });
    });
    this.#windows.set(subscriptionId, window);
  }
}

/**
 * Serves until the host is gone; then everything that runs is ended, politely first, and `whenOver` is called. A message
 * out of turn throws, which ends this process: the host then starts another.
 */
export function serveShellHost(channel: HostChannel, whenOver: () => void): void {
  let shellHost: ShellHost | undefined;
  channel.onMessage((message) => {
    if (message.type === "open") shellHost = new ShellHost(channel.send, message.options);
    else if (shellHost === undefined) throw new Error("The first message has to be `open`.");
    else shellHost.hear(message);
  });
  channel.onClose(() => void Promise.resolve(shellHost?.disposeAll()).finally(whenOver));
}
