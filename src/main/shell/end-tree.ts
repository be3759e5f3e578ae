/** Ends a command with everything it started: politely first, then by force, and names what is still there. */

import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { isSameStart, listProcesses, readLinuxProcess } from "./process-table.ts";
import { selectTree, type TreeRoot } from "./process-tree.ts";
import type { ProcessRef, ProcessRow, ProcessTable } from "./ps-table.ts";
import { type RunProgram, runProgram } from "./run-program.ts";
import { endOnWindows, systemProgram } from "./windows-table.ts";

/** What is known of a command's processes after its end. */
export type Remainder = {
  /** Processes that go on. */
  stillRunning: ProcessRef[];
  /** The system did not list its processes, so others than those may go on. */
  mayRunMore: boolean;
};

/** Between two looks that start no program. */
const pollMs = 20;
/** For the kernel to take down what was killed by force. */
const afterKillMs = 500;
/** A slow table must not keep the first signal away; its answer counts later. */
const firstTableMs = 700;
/** A table of Windows is made by a program that takes its time to start. */
const firstWindowsTableMs = 5000;

/** The system on which a tree is ended; tests take another than the one they run on. */
export type EndingSystem = {
  platform: NodeJS.Platform;
  run: RunProgram;
};

const here: EndingSystem = { platform: process.platform, run: runProgram };

type EndOptions = {
  graceMs: number;
  /** What a person does to end a program: Ctrl+C. The polite way where there are no signals. */
  interrupt?: () => void;
};

/** A process as far as it is shown to people. */
export function toRef({ pid, startTime, name }: ProcessRow): ProcessRef {
  return { pid, startTime, name };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, or not ours to end: the survivors are read from the table afterwards.
  }
}

/** Groups 0 and 1 never belong to a command: to `kill` they mean our own group and every process there is. */
function sendToGroup(group: number, signal: NodeJS.Signals): void {
  if (group > 1) send(-group, signal);
}

class Ending {
  readonly #root: TreeRoot;
  readonly #options: EndOptions;
  readonly #system: EndingSystem;
  /** Those of the last table that was answered. */
  #members: ProcessRow[] = [];
  /** All that were ever seen: once their parent has ended, nothing else tells whose they are. */
  readonly #seen: Pick<ProcessRef, "pid" | "startTime">[];
  #answered = false;

  constructor(root: TreeRoot, options: EndOptions, system: EndingSystem) {
    this.#root = root;
    this.#options = options;
    this.#system = system;
    this.#seen = [...(root.noted ?? [])];
  }

  async run(): Promise<Remainder> {
    const late = this.#system.platform === "win32" ? firstWindowsTableMs : firstTableMs;
    // Taken before anything ends: afterwards nobody knows whose children the children were.
    await this.#look(late);
    this.#ask();
    await this.#waitUntilGone(this.#options.graceMs);
    for (let round = 0; round < 2 && this.#mayRun(); round += 1) {
      await this.#force();
      await this.#waitUntilGone(afterKillMs / 2);
    }
    return { stillRunning: this.#members.map(toRef), mayRunMore: !this.#answered };
  }

  /** Whether there is anything left to end, as far as is known. */
  #mayRun(): boolean {
    return this.#members.length > 0 || (!this.#answered && this.#ownsGroup());
  }

  /** Whether the group can be ended unseen, because nobody else can have its number yet. */
  #ownsGroup(): boolean {
    return this.#root.isRecent === true && this.#root.pid > 1;
  }

  /** Looks at everything anew. Without an answer what was known stays known. */
  async #look(limitMs?: number): Promise<void> {
    const { platform, run } = this.#system;
    const given = new AbortController();
    const tables: Promise<ProcessTable>[] = [listProcesses(platform, run)];
    if (limitMs !== undefined && platform !== "linux")
      tables.push(
        delay(limitMs, "no answer" as const, { signal: given.signal }).catch(() => "no answer" as const),
      );
    const table = await Promise.race(tables);
    given.abort();
    this.#answered = table !== "no answer";
    if (table === "no answer") this.#members = this.#members.filter((row) => this.#isThere(row));
    else this.#members = selectTree(table, { ...this.#root, noted: this.#seen });
    this.#seen.push(...this.#members);
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#root;
    const known = this.#members.some((row) => row.group === pid);
    if (known || (!this.#answered && this.#ownsGroup())) sendToGroup(pid, signal);
    for (const row of this.#members) if (row.group !== pid) send(row.pid, signal);
  }

  #ask(): void {
    if (this.#system.platform === "win32") {
      this.#options.interrupt?.();
      return;
    }
    this.#signal("SIGTERM");
    // A stopped process acts on the signal only once it goes on.
    this.#signal("SIGCONT");
  }

  async #force(): Promise<void> {
    if (this.#system.platform !== "win32") {
      this.#signal("SIGKILL");
      return;
    }
    const pids = new Set(this.#members.map(({ pid }) => pid));
    if (!this.#answered && this.#ownsGroup()) pids.add(this.#root.pid);
    await endOnWindows([...pids], this.#system.run);
  }

  /** The cheap look: no program is started for it. */
  #isThere(row: ProcessRow): boolean {
    if (this.#system.platform === "linux") {
      const now = readLinuxProcess(row.pid);
      return now !== undefined && isSameStart(now.startTime, row.startTime);
    }
    return isThere(row.pid);
  }

  /** Whether the group has a member, where that is all there is to go by. */
  #isGroupThere(): boolean {
    if (this.#answered || !this.#ownsGroup()) return false;
    return isThere(this.#system.platform === "win32" ? this.#root.pid : -this.#root.pid);
  }

  /** Waits for the members to go, then looks at everything again, since they may have started others meanwhile. */
  async #waitUntilGone(limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    const runs = () => this.#members.some((row) => this.#isThere(row)) || this.#isGroupThere();
    while (runs() && performance.now() < deadline) await delay(pollMs);
    await this.#look();
  }
}

/** Whether there is a process, or a group for a negative number, that a signal would reach or be refused by. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Ends the tree: TERM (on Windows Ctrl+C), `graceMs` to comply, then by force, twice if something was started meanwhile.
 * Resolves with what still runs, at the latest about `graceMs` + 1 s after the process table answered or did not. No
 * answer is never taken for nothing: what is known is ended all the same, and the remainder says so. Never rejects.
 */
export function endTree(
  root: TreeRoot,
  options: EndOptions,
  system: EndingSystem = here,
): Promise<Remainder> {
  return new Ending(root, options, system).run();
}

/** Last act of a dying host, when nothing can be awaited any more. */
export function killGroupNow(pid: number): void {
  if (process.platform !== "win32") sendToGroup(pid, "SIGKILL");
  else if (pid > 1)
    spawn(systemProgram("taskkill.exe"), ["/PID", String(pid), "/T", "/F"], {
      detached: true,
      stdio: "ignore",
      windowsHide: true,
    }).unref();
}
