/** How processes are found and ended on Windows. PowerShell and taskkill are doubles here: there is no Windows. */
import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { endTree } from "./end-tree.ts";
import { findOrphans } from "./orphans.ts";
import { isSameStart } from "./process-table.ts";
import { selectTree } from "./process-tree.ts";
import type { RunProgram } from "./run-program.ts";
import { listOnWindows, parseWindowsTable, systemProgram } from "./windows-table.ts";

const now = Math.floor(Date.now() / 1000);

/** What PowerShell prints, with Windows' line ends. */
const printed = (rows: readonly (readonly [number, number, number | "-", string])[]) =>
  `${rows.map((row) => row.join(" ")).join("\r\n")}\r\n`;

type Standing = {
  pid: number;
  /** The process has been told to end; its end is waited for where it matters. */
  ending: boolean;
  gone: Promise<unknown>;
  kill(): void;
};

/** Real processes stand for Windows', so that whether they are there can be looked at. */
function startProcess(): Standing {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const standing: Standing = {
    pid: child.pid!,
    ending: false,
    gone,
    kill() {
      standing.ending = true;
      child.kill("SIGKILL");
    },
  };
  return standing;
}

type Call = {
  file: string;
  args: readonly string[];
};

/** A Windows with these processes: the query prints those that are there, taskkill ends the named ones, with /T their children. */
function makeWindows(rows: [number, number, number | "-", string][], children: Standing[]) {
  const calls: Call[] = [];
  const left = new Map(rows.map((row) => [row[0], row]));
  for (const child of children) void child.gone.then(() => left.delete(child.pid));
  const run: RunProgram = async (file, args) => {
    calls.push({ file, args });
    await Promise.all(children.filter(({ ending }) => ending).map(({ gone }) => gone));
    if (file.endsWith("powershell.exe")) return printed([[4, 0, "-", "System"], ...left.values()]);
    const isMeant = (pid: number): boolean => {
      const parent = rows.find((row) => row[0] === pid)?.[1];
      const isChild = args.includes("/T") && parent !== undefined && parent > 1 && isMeant(parent);
      return args.includes(String(pid)) || isChild;
    };
    const meant = children.filter(({ pid }) => isMeant(pid));
    for (const child of meant) child.kill();
    await Promise.all(meant.map(({ gone }) => gone));
    return "";
  };
  return { calls, system: { platform: "win32" as const, run } };
}

describe("the process table of Windows", () => {
  it("reads pid, parent, start and name, and no answer where there is none", () => {
    expect(
      parseWindowsTable(
        printed([
          [4, 0, "-", "System"],
          [812, 4, now, "Schöne App.exe"],
        ]),
      ),
    ).toEqual([
      expect.objectContaining({ pid: 4, startTime: "", name: "System" }),
      expect.objectContaining({ pid: 812, parent: 4, startTime: String(now), name: "Schöne App.exe" }),
    ]);
    for (const garbage of ["", "Get-CimInstance : Access denied\r\n    + CategoryInfo", "\u0000"])
      expect(parseWindowsTable(garbage)).toBeUndefined();
  });

  it("asks the system's own PowerShell by its full path, and knows no answer from an empty table", async () => {
    const asked: Call[] = [];
    const table = await listOnWindows(async (file, args) => {
      asked.push({ file, args });
      return undefined;
    });
    expect(table).toBe("no answer");
    expect(asked[0]?.file).toMatch(/^[A-Za-z]:\\.*\\System32\\WindowsPowerShell\\v1\.0\\powershell\.exe$/);
    expect(systemProgram("taskkill.exe", { SystemRoot: "D:\\Win" })).toBe("D:\\Win\\System32\\taskkill.exe");
  });

  it("takes nobody for a child who is older than its parent, whose number was given out anew", () => {
    const rows = parseWindowsTable(
      printed([
        [50, 1, now, "bash.exe"],
        [51, 50, now, "node.exe"],
        [52, 50, now - 90, "old.exe"],
      ]),
    );
    const root = { executionId: "e", pid: 50, startTime: String(now) };
    expect(selectTree(rows!, root).map(({ pid }) => pid)).toEqual([50, 51]);
    expect(isSameStart(String(now), String(now + 1))).toBe(true);
  });
});

describe("ending a command on Windows", () => {
  it("interrupts first, and forces nothing when that is enough", async () => {
    const [shell, child] = [startProcess(), startProcess()];
    const { calls, system } = makeWindows(
      [
        [shell.pid, 1, now, "bash.exe"],
        [child.pid, shell.pid, now, "node.exe"],
      ],
      [shell, child],
    );
    const root = { executionId: "e", pid: shell.pid, startTime: String(now), isRecent: true };
    const interrupt = () => [shell, child].forEach((each) => void each.kill());
    expect(await endTree(root, { graceMs: 60_000, interrupt }, system)).toEqual({
      stillRunning: [],
      mayRunMore: false,
    });
    expect(calls.filter(({ file }) => file.endsWith("taskkill.exe"))).toEqual([]);
  });

  it("ends by force what stays, also the child of a parent that ended in the meantime, by taskkill's full path", async () => {
    const [shell, child] = [startProcess(), startProcess()];
    const { calls, system } = makeWindows(
      [
        [shell.pid, 1, now, "bash.exe"],
        [child.pid, shell.pid, now, "node.exe"],
      ],
      [shell, child],
    );
    const root = { executionId: "e", pid: shell.pid, startTime: String(now), isRecent: true };
    // The shell obeys Ctrl+C, and what it started does not.
    const ended = await endTree(root, { graceMs: 50, interrupt: () => shell.kill() }, system);
    expect(ended).toEqual({ stillRunning: [], mayRunMore: false });
    const kill = calls.find(({ file }) => file.endsWith("taskkill.exe"));
    expect(kill?.file).toMatch(/^[A-Za-z]:\\.*\\System32\\taskkill\.exe$/);
    expect(kill?.args).toContain(String(child.pid));
  });

  it("names what outlives the force", async () => {
    const shell = startProcess();
    const stubborn: RunProgram = async (file) =>
      file.endsWith("powershell.exe") ? printed([[shell.pid, 1, now, "svc.exe"]]) : "Access is denied.";
    const root = { executionId: "e", pid: shell.pid, startTime: String(now), isRecent: true };
    expect(await endTree(root, { graceMs: 0 }, { platform: "win32", run: stubborn })).toEqual({
      stillRunning: [{ pid: shell.pid, startTime: String(now), name: "svc.exe" }],
      mayRunMore: false,
    });
  });

  it("ends the shell's tree without a table too, and says that more may run", async () => {
    const [shell, child] = [startProcess(), startProcess()];
    const { system: answering } = makeWindows(
      [
        [shell.pid, 1, now, "bash.exe"],
        [child.pid, shell.pid, now, "node.exe"],
      ],
      [shell, child],
    );
    const run: RunProgram = async (file, args, options) =>
      file.endsWith("powershell.exe") ? undefined : answering.run(file, args, options);
    const system = { platform: "win32" as const, run };
    const root = { executionId: "e", pid: shell.pid, startTime: String(now), isRecent: true };
    expect(await endTree(root, { graceMs: 0 }, system)).toEqual({ stillRunning: [], mayRunMore: true });
    expect([shell.ending, child.ending]).toEqual([true, true]);
  });

  it("says after a crash that it cannot know what has no notes, and knows what died with the system", async () => {
    const run: RunProgram = async () => printed([[4, 0, "-", "System"]]);
    const lost = { executionId: "e", pid: 99_999, startTime: String(now) };
    expect(await findOrphans([lost], { platform: "win32", run })).toEqual({ found: [], isKnown: false });
    const before = { ...lost, startTime: "1000000000" };
    expect(await findOrphans([before], { platform: "win32", run })).toEqual({ found: [], isKnown: true });
    expect((await findOrphans([{ ...lost, noted: [] }], { platform: "win32", run })).isKnown).toBe(true);
  });
});
