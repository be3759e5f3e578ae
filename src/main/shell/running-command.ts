/** One command from its start to its result: terminal, log, capture, watchers and the ways it can end. */
import { setTimeout as delay } from "node:timers/promises";
import type { CommandShell } from "../../shared/command-shell.ts";
import { messageOf } from "../../shared/message-of.ts";
import { type CommandLog, openCommandLog } from "./command-log.ts";
import type { CommandResult, StopReason } from "./command-result.ts";
import { forgetStart, type Holding, hasBegun, setAsideOf } from "./confined-start.ts";
import { endTree, type Remainder, toRef } from "./end-tree.ts";
import { type InputWatch, watchForInput } from "./input-wait.ts";
import { memberNotes } from "./member-notes.ts";
import { createOutputCapture, type OutputLimits } from "./output-capture.ts";
import { type CommandEvent, OutputSubscribers, type Subscription } from "./output-subscribers.ts";
import { listNewerProcesses, listProcesses, startTimeOf } from "./process-table.ts";
import { selectTree, type TreeRoot } from "./process-tree.ts";
import { openTerminal, type Terminal, type TerminalExit } from "./pty-terminal.ts";
import { ShellError } from "./shell-error.ts";

/** A command for those who watch it and type into it. */
export type WatchableCommand = {
  readonly executionId: string;
  /** Never rejects. Resolves when the tree has ended or its survivors are named, and the log is complete. */
  readonly done: Promise<CommandResult>;
  /** Types into the terminal. Without effect once the command has ended. */
  write(data: string): void;
  resize(cols: number, rows: number): void;
  /** Ends the whole process tree. Only the first reason counts; the result keeps the output up to then. */
  kill(reason: StopReason): Promise<CommandResult>;
  /** First the newest output that is still held, then what follows, last `ended`. */
  subscribe(listener: (event: CommandEvent) => void): Subscription;
};

/** A command whose process is known. */
export type RunningCommand = WatchableCommand & {
  /** Of the program and of the process group it leads. */
  readonly pid: number;
  /** With `pid` and `executionId` enough to find the command again after a crash. Opaque. */
  readonly startTime: string;
  readonly logPath: string;
};

export type StartOptions = {
  executionId: string;
  command: string;
  holding: Holding | undefined;
  cwd: string;
  env: Record<string, string>;
  commandShell: CommandShell;
  logPath: string;
  maxLogBytes: number;
  limits: OutputLimits;
  timeoutMs: number;
  graceMs: number;
  stallMs: number;
  cols: number;
  rows: number;
};

/** Longest delay a timer can hold; anything above means no limit. */
const longestTimerMs = 2 ** 31 - 1;
/** What takes longer than this to be confined is given up; nothing of it has run. */
const confineWithinMs = 15_000;
/** For background jobs, which the kernel hangs up on with the shell, to be gone before they are named. */
const hangUpMs = 40;
/** For the exit to be reported after the tree was killed, before the terminal is given up. */
const abandonAfterMs = 400;

/** What the shell left behind when it ended by itself. */
async function findLeftovers(root: TreeRoot): Promise<Remainder> {
  // To start a program for a table takes Windows longer than most commands: only for what was seen beside the shell.
  if (process.platform === "win32" && (root.noted ?? []).every(({ pid }) => pid === root.pid))
    return { stillRunning: [], mayRunMore: false };
  const newer = await listNewerProcesses(root.pid);
  if (newer === "no answer") return { stillRunning: [], mayRunMore: true };
  if (selectTree(newer, root).length === 0) return { stillRunning: [], mayRunMore: false };
  await delay(hangUpMs);
  const table = await listProcesses();
  if (table === "no answer") return { stillRunning: [], mayRunMore: true };
  return { stillRunning: selectTree(table, root).map(toRef), mayRunMore: false };
}

class PtyCommand implements RunningCommand {
  readonly executionId: string;
  readonly pid: number;
  readonly startTime: string;
  readonly logPath: string;
  readonly done: Promise<CommandResult>;
  readonly #options: StartOptions;
  readonly #startedAt = performance.now();
  readonly #capture = createOutputCapture();
  readonly #log: CommandLog;
  readonly #watchers: OutputSubscribers;
  readonly #terminal: Terminal;
  readonly #inputWatch: InputWatch;
  readonly #heldBy = new Set<"log" | "watchers">();
  readonly #resolve: (result: CommandResult) => void;
  #timer: NodeJS.Timeout | undefined;
  #confineTimer: NodeJS.Timeout | undefined;
  #exited = false;
  #stopped: StopReason | undefined;
  #ending: Promise<Remainder> | undefined;

  constructor(options: StartOptions) {
    const { promise, resolve } = Promise.withResolvers<CommandResult>();
    const { ring } = this.#capture;
    this.#options = options;
    this.done = promise;
    this.#resolve = resolve;
    this.executionId = options.executionId;
    this.logPath = options.logPath;
    this.#log = openCommandLog({
      path: options.logPath,
      maxBytes: options.maxLogBytes,
      onDrain: () => this.#hold("log", false),
    });
    this.#watchers = new OutputSubscribers({
      ring,
      stallMs: options.stallMs,
      onHoldBack: (held) => this.#hold("watchers", held),
    });
    this.#terminal = this.#openTerminal();
    this.pid = this.#terminal.pid;
    this.startTime = startTimeOf(this.pid);
    memberNotes?.add(this.#root(), this.logPath);
    this.#inputWatch = watchForInput({
      pid: this.pid,
      readTail: (bytes) => ring.read(ring.end - bytes),
      onChange: (waiting) => this.#watchers.setWaiting(waiting),
    });
    this.#limit();
  }

  write(data: string): void {
    if (this.#exited) return;
    this.#inputWatch.touch();
    this.#terminal.write(data);
  }

  resize(cols: number, rows: number): void {
    if (!this.#exited) this.#terminal.resize(Math.max(1, Math.floor(cols)), Math.max(1, Math.floor(rows)));
  }

  kill(reason: StopReason): Promise<CommandResult> {
    if (!this.#exited && this.#stopped === undefined) {
      this.#stopped = reason;
      this.#ending = this.#end();
    }
    return this.done;
  }

  subscribe(listener: (event: CommandEvent) => void): Subscription {
    return this.#watchers.add(listener);
  }

  /** If no terminal can be had, the log goes away again, since nothing has run. */
  #openTerminal(): Terminal {
    try {
      return openTerminal({
        ...this.#options,
        onData: (bytes) => this.#take(bytes),
        onExit: (exit) => void this.#finish(exit),
      });
    } catch (error) {
      void this.#log.discard();
      if (this.#options.holding) forgetStart(this.#options.holding);
      const message = `The command was not started: no terminal could be opened (${messageOf(error)}).`;
      throw new ShellError("start-failed", "command", message, error);
    }
  }

  #limit(): void {
    const { timeoutMs, holding } = this.#options;
    const giveUp = () => holding && !hasBegun(holding) && void this.kill("timeout");
    if (holding) this.#confineTimer = setTimeout(giveUp, confineWithinMs);
    if (timeoutMs <= longestTimerMs) this.#timer = setTimeout(() => void this.kill("timeout"), timeoutMs);
  }

  #hold(by: "log" | "watchers", held: boolean): void {
    const before = this.#heldBy.size;
    if (held) this.#heldBy.add(by);
    else this.#heldBy.delete(by);
    if (before === 0 && this.#heldBy.size > 0) this.#terminal.pause();
    if (before > 0 && this.#heldBy.size === 0) this.#terminal.resume();
  }

  #take(bytes: Buffer): void {
    if (!this.#log.write(bytes, () => this.#show(bytes))) this.#hold("log", true);
  }

  /** Only when it is in the log: what a person saw is still there after a crash of this process. */
  #show(bytes: Buffer): void {
    this.#watchers.makeRoomFor(bytes.length);
    this.#capture.append(bytes);
    this.#inputWatch.touch();
    this.#watchers.appended();
  }

  /** The shell is there, or was until just now. */
  #root(): TreeRoot {
    const { executionId, pid, startTime } = this;
    const { name } = this.#terminal;
    const noted = memberNotes?.of(executionId) ?? [];
    return { executionId, pid, startTime, noted, isRecent: true, ...(name && { terminal: name }) };
  }

  async #end(): Promise<Remainder> {
    const { graceMs } = this.#options;
    const remainder = await endTree(this.#root(), { graceMs, interrupt: () => this.#terminal.write("\x03") });
    // A process that no signal reaches would keep the result away for ever.
    setTimeout(() => this.#terminal.abandon(), abandonAfterMs).unref();
    return remainder;
  }

  /** Only what made its mark has run; what a person ended before that was ended, and nothing else. */
  #whyNotConfined({ output }: CommandResult): string | undefined {
    const { holding } = this.#options;
    if (holding === undefined) return undefined;
    const isBegun = hasBegun(holding);
    forgetStart(holding);
    if (isBegun || !["exited", "timeout"].includes(this.#stopped ?? "exited")) return undefined;
    const why = output.trim() || (this.#stopped === undefined ? "it said nothing" : "it took too long");
    return `The command was not started: it could not be confined (${why}).`;
  }

  async #finish(exit: TerminalExit): Promise<void> {
    this.#exited = true;
    const durationMs = performance.now() - this.#startedAt;
    clearTimeout(this.#timer);
    clearTimeout(this.#confineTimer);
    this.#inputWatch.stop();
    const remainder = await (this.#ending ?? findLeftovers(this.#root()));
    memberNotes?.remove(this.executionId);
    await this.#log.close();
    const result: CommandResult = {
      ...this.#capture.word(this.#options),
      exitCode: exit.exitCode,
      outcome: this.#stopped ?? "exited",
      bytes: this.#capture.ring.end,
      durationMs,
      logPath: this.logPath,
      ...remainder,
    };
    const { holding } = this.#options;
    const aside = holding && setAsideOf(holding);
    if (aside && aside.length > 0) result.setAside = aside;
    const notConfined = this.#whyNotConfined(result);
    if (notConfined !== undefined) result.notConfined = notConfined;
    if (exit.signal !== undefined) result.signal = exit.signal;
    if (this.#log.failure !== undefined) result.logFailure = this.#log.failure;
    this.#watchers.end(result);
    this.#resolve(result);
  }
}

/** Starts the command; what happens afterwards is in the result. @throws ShellError when it cannot. */
export function startCommand(options: StartOptions): RunningCommand {
  return new PtyCommand(options);
}
