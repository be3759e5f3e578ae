/** The shell: checks here, terminals in the shell host, which is started when it is needed. */
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../shared/message-of.ts";
import type { ConfinedWidth } from "../../shared/width.ts";
import { fileBeside } from "../base/file-beside.ts";
import { logPathOf, prepareLogDir } from "./command-log.ts";
import { endTree, killGroupNow } from "./end-tree.ts";
import { inheritedEnvironment } from "./environment.ts";
import { type HeldProgram, type HeldRequest, notStarted } from "./held-program.ts";
import { type ColouredLog, readColouredLog } from "./output-capture.ts";
import type { TreeRoot } from "./process-tree.ts";
import type { RemoteCommand } from "./remote-command.ts";
import type { RunningCommand, WatchableCommand } from "./running-command.ts";
import { ShellError } from "./shell-error.ts";
import { ShellHostLink } from "./shell-host-link.ts";
import { forkWithNode } from "./shell-host-process.ts";
import type { Confining, RunnerOptions } from "./shell-messages.ts";
import { assertMayRun, type RunOptions, type ShellOptions, toRequest, toRunner } from "./shell-options.ts";

const defaultHeartbeatMs = 5000;
const disposeLimitMs = 1950;
/** A shell host that dies so often in so short a time is not started again before the time is over. */
const mostDeaths = 3;
const deathsWithinMs = 60_000;

const entryFile = fileURLToPath(fileBeside(import.meta.url, "shell-host-entry.js"));

export class Shell {
  readonly #options: ShellOptions;
  readonly #runner: RunnerOptions;
  readonly #commands = new Map<string, RemoteCommand>();
  /** Programs of this host's own that are to end with it. */
  readonly #guarded = new Map<string, TreeRoot>();
  /** What shell hosts that died had left in the background. */
  #strays: TreeRoot[] = [];
  /** The newest deaths of shell hosts, on the clock of `performance.now`. */
  #deaths: { at: number; why: string }[] = [];
  #link: ShellHostLink | undefined;
  #closed = false;
  #isReady: boolean;

  /** @throws ShellError `log-unavailable` if the folder for logs cannot be made. */
  constructor(options: ShellOptions) {
    prepareLogDir(options.logDir);
    this.#options = options;
    this.#isReady = options.ready === undefined;
    void options.ready?.then(() => {
      this.#isReady = true;
    });
    this.#runner = toRunner(options);
  }

  /** Starts the shell host before the first command needs it. Never throws, and costs nothing a second time. */
  warmUp(): void {
    if (this.#closed || !this.#isReady || this.#link !== undefined) return;
    try {
      this.#connect();
    } catch {
      // The command that needs it is told why there is none.
    }
  }

  /**
   * Starts a command; resolves once its process is known. What may not run is refused before anything is asked of the
   * shell host.
   * @throws ShellError if it may not or cannot start; nothing has run then.
   */
  async run(request: RunOptions): Promise<RunningCommand> {
    if (!this.#isReady) await this.#options.ready;
    // Before the checks: while it is found out, the app may close, or the same execution start.
    const { width = "outside" } = request;
    const confining = width === "outside" ? undefined : await this.#confining(width);
    if (this.#closed)
      throw new ShellError("closed", "command", "The app is closing, so no command is started.");
    assertMayRun(request, this.#options.assertPermit, this.#runner.commandShell);
    if (this.#commands.has(request.executionId))
      throw new ShellError("already-run", "executionId", "This execution is running. Start a new one.");
    const link = this.#connect();
    const first = this.#start(link, request, confining);
    try {
      return await first.started;
    } catch (error) {
      // The shell host died before it began, so nothing has run, and another one may try.
      if (this.#closed || !link.isGone || first.isToldToEnd) throw error;
      return this.#start(this.#connect(), request, confining).started;
    }
  }

  /**
   * Has a program of the app's own started by the shell host, whose memory is small: a start copies the tables of all of it.
   * Not for what an agent wants run as it is, since no permit is asked for. Never rejects.
   */
  async hold(request: HeldRequest): Promise<HeldProgram> {
    if (!this.#isReady) await this.#options.ready;
    if (this.#closed) return notStarted("the app is closing");
    try {
      return this.#connect().hold(request);
    } catch (error) {
      return notStarted(messageOf(error));
    }
  }

  /**
   * Has the folders of a confined command looked at that is about to be run, while its row goes to the disk. Starts nothing, and
   * never throws: what cannot be confined is told by `run`.
   */
  lookAhead(executionId: string, cwd: string, width: ConfinedWidth): void {
    const link = this.#link;
    if (!this.#isReady || link === undefined) return;
    const look = (confining: Confining) => link.send({ type: "lookAhead", executionId, cwd, confining });
    void this.#confining(width).then(look, () => {});
  }

  /** @throws ShellError when it is to be confined and cannot be: it never starts without (I8). */
  async #confining(width: ConfinedWidth): Promise<Confining> {
    const { sandbox } = this.#options;
    const probed = await sandbox?.ready();
    if (sandbox === undefined || !probed?.usable) {
      const why = probed?.usable === false ? probed.why : "there is no sandbox";
      const text = `The command was not started: it was to run confined, and that cannot be done here (${why}).`;
      throw new ShellError("not-confined", "width", text);
    }
    const { home, dataDir } = sandbox;
    return { program: probed.program, width, home, dataDir, hidden: sandbox.hidden() };
  }

  /** The command from the moment `run` was called until it has ended, for those who want to watch it. */
  find(executionId: string): WatchableCommand | undefined {
    return this.#commands.get(executionId);
  }

  /** What the log of an execution holds, in this or an earlier process, for a person; undefined if it has none. */
  readLog(executionId: string): Promise<ColouredLog | undefined> {
    return readColouredLog(logPathOf(this.#runner.logDir, executionId));
  }

  /** Ends what these executions left in the background when they ended. Never rejects. */
  async endLeftBehind(executionIds: readonly string[]): Promise<void> {
    const ids = new Set(executionIds);
    const strays = this.#strays.filter(({ executionId }) => ids.has(executionId));
    this.#strays = this.#strays.filter((root) => !strays.includes(root));
    const { graceMs } = this.#runner;
    const roots = [...strays, ...(this.#link?.takeLeftBehind(ids) ?? [])];
    await Promise.all(roots.map((root) => endTree(root, { graceMs })));
  }

  /** Has a program that this host started itself ended with everything it started, should the host die. */
  guard(root: TreeRoot): void {
    this.#guarded.set(root.executionId, root);
    try {
      if (this.#link) this.#tellGuarded(this.#link, root);
      else this.#connect();
    } catch {
      // The next shell host is told; should there be none, the next start of the app looks for it.
    }
  }

  unguard(executionId: string): void {
    this.#guarded.delete(executionId);
    this.#link?.send({ type: "unguard", executionId });
  }

  #tellGuarded(link: ShellHostLink, { executionId, pid, startTime }: TreeRoot): void {
    link.send({ type: "guard", executionId, pid, startTime });
  }

  /** Ends everything within 2 s, background processes of earlier commands too. Afterwards `run` rejects. */
  async disposeAll(): Promise<void> {
    this.#closed = true;
    const late = new AbortController();
    const { graceMs } = this.#runner;
    const isLate = await Promise.race([
      Promise.all([
        this.#link?.dispose(),
        ...this.#strays.map((root) => endTree(root, { graceMs })),
        ...[...this.#commands.values()].map(({ done }) => done),
      ]).then(() => false),
      delay(disposeLimitMs, true, { signal: late.signal }).catch(() => false),
    ]);
    late.abort();
    // The shell host got no further: what it had left in the background is ended by force, from here.
    const left = isLate ? [...this.#strays, ...(this.#link?.takeLeftBehind() ?? [])] : [];
    this.#link?.kill();
    for (const { pid } of this.#commands.values()) killGroupNow(pid);
    await Promise.all(left.map((root) => endTree(root, { graceMs: 0 })));
  }

  /** @throws ShellError `start-failed` when there is no shell host to be had. */
  #connect(): ShellHostLink {
    if (this.#link !== undefined) return this.#link;
    this.#assertNotFailing();
    const { fork = forkWithNode, environment = process.env, heartbeatMs } = this.#options;
    const allow = this.#runner.envAllowList;
    try {
      this.#link = new ShellHostLink({
        process: fork(entryFile, inheritedEnvironment({ source: environment, allow })),
        runner: this.#runner,
        heartbeatMs: heartbeatMs ?? defaultHeartbeatMs,
        onGone: (why, leftBehind) => this.#noteDeath(why, leftBehind),
      });
    } catch (error) {
      const why = messageOf(error);
      this.#noteDeath(why, []);
      const text = `The command was not started: the process for its terminal cannot be started (${why}).`;
      throw new ShellError("start-failed", "command", text, error);
    }
    for (const root of this.#guarded.values()) this.#tellGuarded(this.#link, root);
    return this.#link;
  }

  #noteDeath(why: string, leftBehind: TreeRoot[]): void {
    this.#link = undefined;
    this.#strays.push(...leftBehind);
    this.#deaths = [...this.#deaths, { at: performance.now(), why }].slice(-mostDeaths);
  }

  #assertNotFailing(): void {
    const recent = this.#deaths.filter(({ at }) => performance.now() - at < deathsWithinMs);
    if (recent.length < mostDeaths) return;
    throw new ShellError(
      "start-failed",
      "command",
      `The command was not started: the process that holds the terminals ended ${mostDeaths} times within a minute (${recent.at(-1)?.why}). Try again in a minute; if it goes on, start the app anew.`,
    );
  }

  #start(link: ShellHostLink, request: RunOptions, confining?: Confining): RemoteCommand {
    const { executionId, signal } = request;
    const maxLogBytes = Math.min(request.maxLogBytes ?? Number.MAX_SAFE_INTEGER, this.#runner.maxLogBytes);
    const command = link.start({ ...toRequest(request), confining, maxLogBytes });
    const onAbort = () => void command.kill("cancelled");
    this.#commands.set(executionId, command);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    void command.done.then(() => {
      if (this.#commands.get(executionId) === command) this.#commands.delete(executionId);
      signal?.removeEventListener("abort", onAbort);
    });
    return command;
  }
}
