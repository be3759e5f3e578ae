/** A command in the shell host as the host sees it: usable from the moment it was asked for, running once that is told. */

import type { CommandResult, StopReason } from "./command-result.ts";
import type { CommandEvent, Subscription } from "./output-subscribers.ts";
import { RemoteSubscription, type WatcherMessage } from "./remote-subscription.ts";
import type { RunningCommand } from "./running-command.ts";
import type { ShellError } from "./shell-error.ts";
import type { CommandRequest, ToShellHost, WatchedEvent } from "./shell-messages.ts";

/** The way to the shell host in which the command runs. */
export type CommandLink = {
  send(message: ToShellHost): void;
  /** Begins to listen for a watcher; returns the id under which the shell host speaks of it. */
  listen(hear: (event: WatchedEvent) => void): number;
  unlisten(subscriptionId: number): void;
  /** Sees to it that a command ends which was told to. */
  watchEnd(command: RemoteCommand): void;
};

export class RemoteCommand implements RunningCommand {
  readonly executionId: string;
  readonly logPath: string;
  readonly startedAt = performance.now();
  /** Rejects with a ShellError when it was not started. */
  readonly started: Promise<RunningCommand>;
  readonly done: Promise<CommandResult>;
  /** 0 and "" as long as they are not known; the marker alone finds the command then. */
  pid = 0;
  startTime = "";
  /** The shell host said that it runs. */
  isStarted = false;
  /** Somebody ended it; it is not tried again. */
  isToldToEnd = false;
  readonly #link: CommandLink;
  /** In beats, so that the time in which the machine slept counts for nothing. */
  #agedMs = 0;
  /** At this age it was told to end, or its own time is over. */
  #toEndAtMs: number;
  readonly #starting = Promise.withResolvers<RunningCommand>();
  readonly #ending = Promise.withResolvers<CommandResult>();
  #result: CommandResult | undefined;

  constructor(
    { executionId, timeoutMs }: Pick<CommandRequest, "executionId" | "timeoutMs">,
    logPath: string,
    link: CommandLink,
  ) {
    this.executionId = executionId;
    this.logPath = logPath;
    this.#toEndAtMs = timeoutMs;
    this.#link = link;
    this.started = this.#starting.promise;
    this.done = this.#ending.promise;
  }

  write(data: string): void {
    this.#send({ type: "write", executionId: this.executionId, data });
  }

  resize(cols: number, rows: number): void {
    this.#send({ type: "resize", executionId: this.executionId, cols, rows });
  }

  kill(reason: StopReason): Promise<CommandResult> {
    this.isToldToEnd = true;
    this.#toEndAtMs = Math.min(this.#toEndAtMs, this.#agedMs);
    this.#send({ type: "kill", executionId: this.executionId, reason });
    this.#link.watchEnd(this);
    return this.done;
  }

  subscribe(listener: (event: CommandEvent) => void): Subscription {
    let id: number | undefined;
    const subscription = new RemoteSubscription(listener, (message) => {
      if (message.type === "watch" && this.#result !== undefined) this.#replay(subscription, this.#result);
      else if (message.type === "watch") id = this.#watch(subscription, message.paused);
      else if (id !== undefined) this.#tellOf(id, message);
    });
    return subscription;
  }

  /** Another beat of so many ms has passed. @returns for how many ms it should have ended by now; negative before that. */
  age(ms: number): number {
    this.#agedMs += ms;
    return this.#agedMs - this.#toEndAtMs;
  }

  /** The shell host says that it runs, or is gone and cannot say which process it is. */
  start(pid: number, startTime: string): void {
    this.isStarted = true;
    this.pid = pid;
    this.startTime = startTime;
    this.#starting.resolve(this);
  }

  /** Nothing has run. Those who watch already are told an end, so that they do not wait for ever. */
  refuse(error: ShellError): void {
    this.#starting.reject(error);
    this.end({
      output: error.message,
      exitCode: null,
      outcome: "killed",
      truncated: false,
      bytes: 0,
      durationMs: 0,
      logPath: this.logPath,
      stillRunning: [],
      mayRunMore: false,
    });
  }

  end(result: CommandResult): void {
    this.#result = result;
    this.#ending.resolve(result);
  }

  #send(message: ToShellHost): void {
    if (this.#result === undefined) this.#link.send(message);
  }

  #watch(subscription: RemoteSubscription, paused: boolean): number {
    const subscriptionId = this.#link.listen((event) => {
      if (event.type === "ended") void this.done.then((result) => subscription.hear({ ...event, result }));
      else subscription.hear(event);
    });
    this.#link.send({ type: "watch", subscriptionId, executionId: this.executionId, paused });
    return subscriptionId;
  }

  #tellOf(subscriptionId: number, message: Exclude<WatcherMessage, { type: "watch" }>): void {
    if (message.type === "unwatch") this.#link.unlisten(subscriptionId);
    this.#link.send({ ...message, subscriptionId });
  }

  /** The shell host keeps nothing of a command that has ended; its text is in the result. */
  #replay(subscription: RemoteSubscription, result: CommandResult): void {
    const text = result.output.replaceAll("\n", "\r\n");
    if (text !== "") subscription.hear({ type: "output", text });
    subscription.hear({ type: "ended", result });
  }
}
