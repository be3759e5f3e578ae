/** What is noted of a command's processes while it runs, for a host that comes after a crash. */
import { appendFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { MemberNotes, notesPathOf } from "./member-notes.ts";
import type { ProcessRow } from "./ps-table.ts";
import { readNotes } from "./read-member-notes.ts";

function makeLogPath(): string {
  const dir = mkdtempSync(join(tmpdir(), "countersign-notes-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "a.log");
}

const row = (pid: number, parent: number, group: number): ProcessRow => ({
  pid,
  startTime: String(pid),
  name: `p${pid}`,
  parent,
  group,
  session: group,
  terminal: undefined,
  executionId: undefined,
  limitMark: undefined,
});
const root = { executionId: "a", pid: 100, startTime: "100", terminal: "ttys001" };

afterEach(() => vi.useRealTimers());

describe("notes of a command", () => {
  it("hold its terminal, its shell and each member once, readable by their owner only", async () => {
    const logPath = makeLogPath();
    const notes = new MemberNotes(async () => [row(100, 1, 100), row(101, 100, 101), row(300, 1, 300)]);
    notes.add(root, logPath);
    await notes.look();
    await notes.look();
    expect(notes.of("a")?.map(({ pid }) => pid)).toEqual([100, 101]);
    expect(readNotes(logPath)?.noted?.map(({ pid }) => pid)).toEqual([100, 100, 101]);
    expect(readNotes(logPath)?.terminal).toBe("ttys001");
    if (process.platform !== "win32") expect(statSync(notesPathOf(logPath)).mode & 0o777).toBe(0o600);
    notes.remove("a");
    expect(readNotes(logPath)).toBeUndefined();
  });

  it("stay as they are when the process table does not answer", async () => {
    const logPath = makeLogPath();
    const notes = new MemberNotes(async () => "no answer");
    notes.add(root, logPath);
    await notes.look();
    expect(readNotes(logPath)).toEqual({ terminal: "ttys001", noted: [{ pid: 100, startTime: "100" }] });
    notes.remove("a");
  });

  it("are read though a crash left half a line, and though somebody wrote into them", () => {
    const logPath = makeLogPath();
    const lines = [
      '{"pid":7,"startTime":"5"}',
      '{"pid":1,"startTime":"5"}',
      '{"pid":-1,"startTime":"5"}',
      '{"pid":8,"sta',
    ];
    appendFileSync(notesPathOf(logPath), lines.join("\n"));
    expect(readNotes(logPath)).toEqual({ noted: [{ pid: 7, startTime: "5" }] });
  });

  it("are not put off by one command after another, and cost nothing when none runs", async () => {
    vi.useFakeTimers();
    let looks = 0;
    const notes = new MemberNotes(async () => {
      looks += 1;
      return [];
    });
    const logPath = makeLogPath();
    for (let at = 0; at < 5; at += 1) {
      notes.add({ ...root, executionId: `e${at}` }, logPath);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(looks).toBeGreaterThan(0);
    for (let at = 0; at < 5; at += 1) notes.remove(`e${at}`);
    looks = 0;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(0);
  });
});
