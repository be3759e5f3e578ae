/** The shell host's side of the channel: carries out what the host asks for, and ends everything when it is gone. */

import { CommandRunner } from "./command-runner.ts";
import { endTree } from "./end-tree.ts";
import { OutputWindow } from "./output-window.ts";
import type { TreeRoot } from "./process-tree.ts";
import type { RunningCommand } from "./running-command.ts";
import { ShellError } from "./shell-error.ts";
import {
  type CommandRequest,
  type FromShellHost,
  type ToShellHost,
  toShellHostSchema,
} from "./shell-messages.ts";

/** The way to the host, whichever kind of process this is. */
export type HostChannel = {
  send(message: FromShellHost): void;
  onMessage(listener: (message: unknown) => void): void;
  /** The host is gone: it closed, or it died. */
  onClose(listener: () => void): void;
};

type OfCommand = Exclude<
  Extract<ToShellHost, { executionId: string }>,
  { type: "watch" | "guard" | "unguard" }
>;

/** Of a program that the host started itself; nobody waits for it any more. */
const guardedGraceMs = 600;

class ShellHost {
  readonly #send: (message: FromShellHost) => void;
  readonly #commands = new Map<string, RunningCommand>();
  readonly #windows = new Map<number, OutputWindow>();
  readonly #guarded = new Map<string, TreeRoot>();
  #runner: CommandRunner | undefined;

  constructor(channel: HostChannel) {
    this.#send = channel.send;
  }

  /** A malformed message throws, which ends this process: the host then starts another. */
  hear(message: unknown): void {
    const parsed = toShellHostSchema.parse(message);
    if (parsed.type === "guard") this.#guarded.set(parsed.executionId, parsed);
    else if (parsed.type === "unguard") this.#guarded.delete(parsed.executionId);
    else if ("subscriptionId" in parsed) this.#hearOfWatcher(parsed);
    else if ("executionId" in parsed) this.#hearOfCommand(parsed);
    else if (parsed.type === "run") this.#run(parsed.request);
    else if (parsed.type === "open") this.#runner = new CommandRunner(parsed.options);
    else if (parsed.type === "beat") this.#send({ type: "beat" });
    else void this.disposeAll().then(() => this.#send({ type: "disposed" }));
  }

  async disposeAll(): Promise<void> {
    const guarded = [...this.#guarded.values()];
    this.#guarded.clear();
    await Promise.all([
      this.#runner?.disposeAll(),
      ...guarded.map((root) => endTree(root, { graceMs: guardedGraceMs })),
    ]);
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

  #run(request: CommandRequest): void {
    const { executionId } = request;
    try {
      if (this.#runner === undefined) throw new Error("The first message has to be `open`.");
      const command = this.#runner.run(request);
      this.#commands.set(executionId, command);
      this.#send({ type: "started", executionId, pid: command.pid, startTime: command.startTime });
      void command.done.then((result) => this.#send({ type: "ended", executionId, result }));
    } catch (error) {
      if (!(error instanceof ShellError)) throw error;
      const { code, field, message } = error;
      this.#send({ type: "refused", executionId, code, field, message });
    }
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

/** Serves until the host is gone; then everything that runs is ended, politely first, and `whenOver` is called. */
export function serveShellHost(channel: HostChannel, whenOver: () => void): void {
  const shellHost = new ShellHost(channel);
  channel.onMessage((message) => shellHost.hear(message));
  channel.onClose(() => void shellHost.disposeAll().finally(whenOver));
}
