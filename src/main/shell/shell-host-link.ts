/** One life of the shell host as the host sees it: what it was asked, what it answers, and what its death means. */
import { existsSync } from "node:fs";
import { logPathOf } from "./command-log.ts";
import { endTree } from "./end-tree.ts";
import type { HeldProgram, HeldRequest } from "./held-program.ts";
import { endLostCommand } from "./orphans.ts";
import type { TreeRoot } from "./process-tree.ts";
import { readNotes } from "./read-member-notes.ts";
import { type CommandLink, RemoteCommand } from "./remote-command.ts";
import { RemoteHeld } from "./remote-held.ts";
import { ShellError } from "./shell-error.ts";
import type { ShellHostProcess } from "./shell-host-process.ts";
import {
  type CommandRequest,
  type FromShellHost,
  fromShellHostSchema,
  type RunnerOptions,
  type ToShellHost,
  toShellHostSchema,
  type WatchedEvent,
} from "./shell-messages.ts";

/** Silent for so many beats while it has work, the shell host counts as hung. */
const mostMissedBeats = 3;

/** A command may take this long over its end, whichever is longer: half a minute, where nothing else is said. */
const overdueBeats = 6;
const overdueGraces = 10;

type LinkOptions = {
  process: ShellHostProcess;
  runner: RunnerOptions;
  heartbeatMs: number;
  /** Called once. What it left behind on purpose goes on, and is nobody's now. */
  onGone: (why: string, leftBehind: TreeRoot[]) => void;
};

export class ShellHostLink implements CommandLink {
  readonly #options: LinkOptions;
  readonly #commands = new Map<string, RemoteCommand>();
  readonly #watchers = new Map<number, (event: WatchedEvent) => void>();
  readonly #held: RemoteHeld;
  #leftBehind: TreeRoot[] = [];
  readonly #gone = Promise.withResolvers<void>();
  /** Nothing is heard of it any more. */
  isGone = false;
  #lastSubscriptionId = 0;
  #heartbeat: NodeJS.Timeout | undefined;
  #missedBeats = 0;
  /** How many messages of it have come. */
  #heard = 0;

  constructor(options: LinkOptions) {
    const { process, runner, heartbeatMs } = options;
    this.#options = options;
    this.#held = new RemoteHeld(
      {
        send: (message) => this.send(message),
        onChange: () => this.#watchOver(),
        onSilence: () => this.kill(),
      },
      overdueBeats * heartbeatMs,
    );
    process.onMessage((message) => this.#hear(message));
    process.onExit((why) => this.#end(why));
    process.hold(false);
    this.send({ type: "open", options: runner });
  }

  /** Asks for a command; `started` of it tells what came of that. */
  start(request: CommandRequest): RemoteCommand {
    const { executionId } = request;
    const command = new RemoteCommand(request, logPathOf(this.#options.runner.logDir, executionId), this);
    this.#commands.set(executionId, command);
    this.#watchOver();
    this.send({ type: "run", request });
    return command;
  }

  /** Has a program started there, where that costs less than from this process. */
  hold(request: HeldRequest): HeldProgram {
    return this.#held.start(request);
  }

  send(message: ToShellHost): void {
    if (!this.isGone) this.#options.process.send(toShellHostSchema.parse(message));
  }

  /** A frozen shell host ends nothing: what it was told to end, and does not answer to, is ended from here meanwhile. */
  watchEnd(command: RemoteCommand): void {
    const { graceMs } = this.#options.runner;
    const heard = this.#heard;
    this.send({ type: "beat" });
    setTimeout(() => {
      const { executionId, pid, startTime, logPath } = command;
      if (this.#commands.get(executionId) !== command) return;
      // What was on its way before it froze is no answer.
      if (heard !== this.#heard) return this.watchEnd(command);
      // Of one that it did not speak of yet the marks alone tell.
      void endTree({ executionId, pid, startTime, isRecent: true, ...readNotes(logPath) }, { graceMs });
    }, graceMs).unref();
  }

  listen(hear: (event: WatchedEvent) => void): number {
    this.#lastSubscriptionId += 1;
    this.#watchers.set(this.#lastSubscriptionId, hear);
    return this.#lastSubscriptionId;
  }

  unlisten(subscriptionId: number): void {
    this.#watchers.delete(subscriptionId);
  }

  /** What these executions left in the background, or all of them, for the caller to end. */
  takeLeftBehind(executionIds?: ReadonlySet<string>): TreeRoot[] {
    const taken = this.#leftBehind.filter(({ executionId }) => executionIds?.has(executionId) ?? true);
    this.#leftBehind = this.#leftBehind.filter((root) => !taken.includes(root));
    return taken;
  }

  /** Lets it end everything, then ends it. Resolves when it is gone. */
  dispose(): Promise<void> {
    this.#options.process.hold(true);
    this.send({ type: "dispose" });
    return this.#gone.promise;
  }

  /** Ends it at once; what ran in it is then ended from here. */
  kill(): void {
    if (!this.isGone) this.#options.process.kill();
  }

  #hear(raw: unknown): void {
    this.#missedBeats = 0;
    this.#heard += 1;
    const parsed = fromShellHostSchema.safeParse(raw);
    // After a message in a form this host does not know, nothing that the shell host says can be relied on.
    if (!parsed.success || parsed.data.type === "disposed") this.kill();
    else if (parsed.data.type === "told") this.#watchers.get(parsed.data.subscriptionId)?.(parsed.data.event);
    else if (parsed.data.type === "ready" || parsed.data.type === "gone") this.#hearOfHeld(parsed.data);
    else if (parsed.data.type === "started") this.#hearOfStart(parsed.data);
    else if (parsed.data.type !== "beat") this.#hearOfEnd(parsed.data);
  }

  #hearOfHeld(told: Extract<FromShellHost, { type: "ready" | "gone" }>): void {
    if (!this.#held.hear(told)) this.kill();
  }

  #hearOfStart({ executionId, pid, startTime }: Extract<FromShellHost, { type: "started" }>): void {
    const command = this.#commands.get(executionId);
    if (command !== undefined && !command.isStarted) command.start(pid, startTime);
    // It speaks of a command twice, or of one that is over: what it says is no longer what happens.
    else this.kill();
  }

  #hearOfEnd(message: Extract<FromShellHost, { type: "refused" | "ended" }>): void {
    const command = this.#commands.get(message.executionId);
    // Refused is what never started, and ended what did: anything else is not true, and its answer not waited for.
    if (command === undefined || command.isStarted !== (message.type === "ended")) {
      this.kill();
      return;
    }
    this.#commands.delete(message.executionId);
    this.#watchOver();
    if (message.type === "refused") {
      command.refuse(new ShellError(message.code, message.field, message.message));
      return;
    }
    if (message.result.stillRunning.length > 0) {
      const { executionId, pid, startTime } = command;
      this.#leftBehind.push({ executionId, pid, startTime, noted: message.result.stillRunning });
    }
    this.send({ type: "release", executionId: message.executionId });
    command.end(message.result);
  }

  /** While something runs, this process stays alive for it, and the shell host has to show that it is alive. */
  #watchOver(): void {
    const isBusy = this.#commands.size + this.#held.size > 0;
    if (isBusy === (this.#heartbeat !== undefined)) return;
    this.#options.process.hold(isBusy);
    clearInterval(this.#heartbeat);
    this.#missedBeats = 0;
    this.#heartbeat = isBusy ? setInterval(() => this.#beat(), this.#options.heartbeatMs) : undefined;
    this.#heartbeat?.unref();
  }

  #beat(): void {
    const { heartbeatMs, runner } = this.#options;
    const overdueMs = Math.max(...[...this.#commands.values()].map((command) => command.age(heartbeatMs)));
    const mostOverdueMs = Math.max(overdueBeats * heartbeatMs, overdueGraces * runner.graceMs);
    // It beats, and does not end what it was told to end: then it is ended with it.
    if (this.#missedBeats >= mostMissedBeats || overdueMs >= mostOverdueMs) this.kill();
    this.#missedBeats += 1;
    this.send({ type: "beat" });
  }

  #end(why: string): void {
    if (this.isGone) return;
    this.isGone = true;
    clearInterval(this.#heartbeat);
    const lost = [...this.#commands.values()];
    this.#commands.clear();
    this.#options.onGone(why, this.#leftBehind);
    for (const command of lost) void this.#lose(command);
    this.#held.loseAll(`the process that held it ended (${why})`);
    for (const hear of [...this.#watchers.values()]) hear({ type: "ended" });
    this.#gone.resolve();
  }

  async #lose(command: RemoteCommand): Promise<void> {
    // The log is opened before anything runs, so without one nothing did.
    if (command.pid === 0 && !existsSync(command.logPath)) {
      const text = "The command was not started: the process that holds its terminal ended. Run it again.";
      command.refuse(new ShellError("start-failed", "command", text));
      return;
    }
    if (command.pid === 0) command.start(0, "");
    const { limits, graceMs } = this.#options.runner;
    command.end(await endLostCommand(command, { limits, graceMs, startedAt: command.startedAt }));
  }
}
