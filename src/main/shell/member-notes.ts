/**
 * Notes which processes belong to a command while it runs, where no marker in their environment tells later. The notes
 * lie beside the command's log, for the next host to read if this one dies.
 */

import { appendFileSync, rmSync } from "node:fs";
import { listProcesses } from "./process-table.ts";
import { selectTree, type TreeRoot } from "./process-tree.ts";
import type { ProcessTable } from "./ps-table.ts";

/** The first look is soon, since most commands are short; later ones are rare, since a table costs a program or two. */
const firstLookMs = 250;
const lastLookMs = 5000;

/** Beside the log, under its name. */
export function notesPathOf(logPath: string): string {
  return `${logPath}.processes`;
}

/** Once nothing of the command runs any more; harmless where there are none. */
export function discardNotes(logPath: string): void {
  rmSync(notesPathOf(logPath), { force: true });
}

type Noted = {
  root: TreeRoot;
  logPath: string;
  members: Map<number, string>;
};

/** Looks again and again while commands run: one table for all of them. */
export class MemberNotes {
  readonly #list: () => Promise<ProcessTable>;
  readonly #commands = new Map<string, Noted>();
  #timer: NodeJS.Timeout | undefined;
  #waitMs = firstLookMs;
  /** On the clock of `performance.now`. */
  #nextLookAt = Number.POSITIVE_INFINITY;

  constructor(list: () => Promise<ProcessTable> = listProcesses) {
    this.#list = list;
  }

  /** The root must be of a command that runs, and `isRecent` as long as it does. */
  add(root: TreeRoot, logPath: string): void {
    const noted: Noted = { root: { ...root, isRecent: true }, logPath, members: new Map() };
    this.#commands.set(root.executionId, noted);
    this.#write(noted, [
      ...(root.terminal === undefined ? [] : [{ terminal: root.terminal }]),
      { pid: root.pid, startTime: root.startTime },
    ]);
    this.#waitMs = firstLookMs;
    // One command after another must not put off the look for ever.
    if (performance.now() + firstLookMs < this.#nextLookAt) this.#lookLater();
  }

  /** What was seen of a command so far. */
  of(executionId: string): TreeRoot["noted"] {
    const noted = this.#commands.get(executionId);
    return noted && [...noted.members].map(([pid, startTime]) => ({ pid, startTime }));
  }

  /** The command has ended, and its result names what goes on. */
  remove(executionId: string): void {
    const noted = this.#commands.get(executionId);
    this.#commands.delete(executionId);
    if (this.#commands.size === 0) this.#stop();
    if (noted !== undefined) discardNotes(noted.logPath);
  }

  /** Notes what belongs to each command now. Without an answer what was noted stays as it is. */
  async look(): Promise<void> {
    const table = await this.#list();
    if (table === "no answer") return;
    for (const noted of this.#commands.values()) {
      const rows = selectTree(table, { ...noted.root, noted: this.of(noted.root.executionId) ?? [] });
      const fresh = rows.filter(
        (row) => row.startTime !== "" && noted.members.get(row.pid) !== row.startTime,
      );
      for (const row of fresh) noted.members.set(row.pid, row.startTime);
      this.#write(
        noted,
        fresh.map(({ pid, startTime }) => ({ pid, startTime })),
      );
    }
  }

  #write({ logPath }: Noted, notes: readonly object[]): void {
    if (notes.length === 0) return;
    try {
      appendFileSync(notesPathOf(logPath), notes.map((note) => `${JSON.stringify(note)}\n`).join(""), {
        mode: 0o600,
      });
    } catch {
      // A full disk: while this process lives it knows, and a later host says that it cannot.
    }
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#nextLookAt = Number.POSITIVE_INFINITY;
  }

  #lookLater(): void {
    this.#stop();
    this.#nextLookAt = performance.now() + this.#waitMs;
    this.#timer = setTimeout(() => {
      this.#nextLookAt = Number.POSITIVE_INFINITY;
      this.#waitMs = Math.min(this.#waitMs * 2, lastLookMs);
      void this.look().then(() => {
        if (this.#commands.size > 0) this.#lookLater();
      });
    }, this.#waitMs);
    this.#timer.unref();
  }
}

/** Of this process, so there is one; absent where each process carries a marker that can be read. */
export const memberNotes = process.platform === "linux" ? undefined : new MemberNotes();
