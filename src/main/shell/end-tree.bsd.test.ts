/**
 * macOS' way to find and end what a command started: by group, terminal and noted members, since no environment can be
 * read. The processes are real; where no Mac is, Linux' `ps` stands in for macOS', asked for no environment.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn as spawnInTerminal } from "node-pty";
import { describe, expect, it, onTestFinished } from "vitest";
import { type EndingSystem, endTree } from "./end-tree.ts";
import { MemberNotes, notesPathOf } from "./member-notes.ts";
import { endOrphan, findOrphans } from "./orphans.ts";
import { isSameStart, listProcesses } from "./process-table.ts";
import { selectTree, type TreeRoot } from "./process-tree.ts";
import type { ProcessRow } from "./ps-table.ts";
import { readNotes } from "./read-member-notes.ts";
import { type RunProgram, runProgram } from "./run-program.ts";

/** As on macOS 11 and later: Apple's own programs keep their environment to themselves. */
const hidesEnvironments: RunProgram = (file, args, options) =>
  args[0] === "-axEww" ? Promise.resolve("") : runProgram(file, args, options);
const mac: EndingSystem = { platform: "darwin", run: hidesEnvironments };

async function table(): Promise<readonly ProcessRow[]> {
  const rows = await listProcesses("darwin", hidesEnvironments);
  if (rows === "no answer") throw new Error("ps did not answer.");
  return rows;
}

type Started = {
  root: TreeRoot;
  /** The leader's end. */
  exited: Promise<unknown>;
};

let count = 0;

/** Runs a command in a terminal of its own, as the app does, and resolves once `names` run. */
async function start(command: string, names: readonly string[]): Promise<Started> {
  count += 1;
  const executionId = `bsd-${process.pid}-${count}`;
  const pty = spawnInTerminal("/bin/bash", ["--noprofile", "--norc", "-c", command], {
    env: { PATH: "/usr/bin:/bin", COUNTERSIGN_EXECUTION: executionId },
  });
  const exited = new Promise((resolve) => pty.onExit(resolve));
  const startTime = String(Math.floor(Date.now() / 1000));
  const terminal = (pty as unknown as { ptsName: string }).ptsName.replace(/^\/dev\//, "");
  await expect.poll(async () => (await running(names)).length).toBe(names.length);
  onTestFinished(async () => {
    for (const { pid } of await running(names)) process.kill(pid, "SIGKILL");
  });
  return { root: { executionId, pid: pty.pid, startTime, terminal, isRecent: true }, exited };
}

async function running(names: readonly string[]): Promise<ProcessRow[]> {
  return (await table()).filter(({ name }) => names.includes(name));
}

/** Times nobody else uses, so that a process is known by its command line. */
const sleepers = (many: number) =>
  Array.from({ length: many }, (_, at) => `sleep ${process.pid + 100_000 * (count * 10 + at + 1)}`);

/** Leaves session, group and terminal; macOS has no `setsid`. */
const leave = "perl -MPOSIX -e 'setsid; exec @ARGV'";

describe("without a readable environment", () => {
  it("is tried with what this system has", async () => {
    const who = process.platform === "darwin" ? "macOS' own ps" : "Linux' ps as a stand-in";
    console.log(`Tried with ${who}, which is not asked for environments.`);
    expect((await table()).every(({ executionId }) => executionId === undefined)).toBe(true);
    const self = (await table()).find(({ pid }) => pid === process.pid);
    const started = String(Math.floor(Date.now() / 1000 - process.uptime()));
    expect(isSameStart(self?.startTime ?? "", started)).toBe(true);
  });

  it("knows a group without its leader, and what went to a group of its own on the same terminal", async () => {
    const names = sleepers(3);
    const [one, two, three] = names;
    const { root } = await start(`trap '' HUP; ${one} & set -m; ${two} & set +m; ${three}`, names);
    const rows = selectTree(await table(), root);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(new Set(rows.map(({ group }) => group)).size).toBe(2);
  });

  it("knows by its terminal what left the group and lost its parent", async () => {
    const names = sleepers(2);
    const { root } = await start(`/bin/bash -c 'set -m; ${names[0]} & exec true'; ${names[1]}`, names);
    const table = await running(names);
    const lost = table.find(({ name }) => name === names[0]);
    await expect.poll(async () => (await running([names[0]!]))[0]?.parent).not.toBe(root.pid);
    expect(lost?.group).not.toBe(root.pid);
    expect(await endTree(root, { graceMs: 200 }, mac)).toEqual({ stillRunning: [], mayRunMore: false });
    expect(await running(names)).toEqual([]);
  });

  it("ends what left group and terminal though its parent obeys at once", async () => {
    const names = sleepers(2);
    const stubborn = `${leave} /bin/bash -c "trap '' TERM; ${names[0]}; true" & ${names[1]}`;
    const { root } = await start(stubborn, names);
    expect(await endTree(root, { graceMs: 200 }, mac)).toEqual({ stillRunning: [], mayRunMore: false });
    expect(await running(names)).toEqual([]);
  });

  it("ends all of it, also what ignores TERM and what left the group", async () => {
    const names = sleepers(3);
    const [one, two, three] = names;
    const stubborn = `trap '' TERM HUP; ${one} & ${leave} ${two} & ${three}`;
    const { root, exited } = await start(stubborn, names);
    expect(await endTree(root, { graceMs: 200 }, mac)).toEqual({ stillRunning: [], mayRunMore: false });
    await exited;
    expect(await running(names)).toEqual([]);
  });

  it("finds after a crash what was noted, though its parent is gone and it left group and terminal", async () => {
    const dir = mkdtempSync(join(tmpdir(), "countersign-notes-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const logPath = join(dir, "a.log");
    const names = sleepers(2);
    const { root, exited } = await start(`trap '' HUP; ${leave} ${names[0]} & ${names[1]} & wait`, names);
    const notes = new MemberNotes(() => listProcesses("darwin", hidesEnvironments));
    notes.add(root, logPath);
    await notes.look();
    expect(readNotes(logPath)).toMatchObject({ terminal: root.terminal });
    process.kill(root.pid, "SIGKILL");
    await exited;
    const { executionId, pid, startTime } = root;
    const lost = { executionId, pid, startTime };
    expect((await findOrphans([lost], mac)).isKnown).toBe(false);
    const { found, isKnown } = await findOrphans([{ ...lost, logPath }], mac);
    expect(isKnown).toBe(true);
    expect(found[0]?.processes.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(await endOrphan(found[0]!, mac)).toEqual({ stillRunning: [], mayRunMore: false });
    expect(await findOrphans([{ ...lost, logPath }], mac)).toEqual({ found: [], isKnown: true });
    expect(() => readFileSync(notesPathOf(logPath))).toThrow();
    notes.remove(executionId);
  });

  it("takes nobody for noted who only got the same number", async () => {
    const [name] = sleepers(1);
    const { root } = await start(`${name}`, [name!]);
    const stranger = { ...root, executionId: "gone", isRecent: false, pid: 0, startTime: "" };
    const noted = [{ pid: (await running([name!]))[0]!.pid, startTime: "1000000000" }];
    expect(selectTree(await table(), { ...stranger, noted, terminal: undefined as never })).toEqual([]);
    await endTree(root, { graceMs: 0 }, mac);
  });
});

describe("a process table that does not answer", () => {
  const silent: RunProgram = async () => undefined;
  const garbage: RunProgram = async () => "ps: command not found\n";
  const slow: RunProgram = (file, args, options) =>
    new Promise((resolve) => void setTimeout(() => resolve(hidesEnvironments(file, args, options)), 900));
  const late: RunProgram = () => new Promise((resolve) => void setTimeout(() => resolve(undefined), 800));

  it.each([
    ["is silent", silent],
    ["says garbage", garbage],
    ["gives up late", late],
  ])("that %s leaves what is known to be ended, and says that more may run", async (_how, run) => {
    const names = sleepers(2);
    const { root, exited } = await start(`trap '' TERM HUP; ${names[0]} & ${names[1]}`, names);
    const ended = await endTree(root, { graceMs: 100 }, { platform: "darwin", run });
    expect(ended).toEqual({ stillRunning: [], mayRunMore: true });
    await exited;
    expect(await running(names)).toEqual([]);
  });

  it("that is slow holds the first signal back for a moment only, and counts once it comes", async () => {
    const names = sleepers(2);
    const { root } = await start(`trap '' TERM HUP; ${names[0]} & ${leave} ${names[1]} & wait`, names);
    const noted = (await running(names)).map(({ pid, startTime }) => ({ pid, startTime }));
    const ended = await endTree({ ...root, noted }, { graceMs: 100 }, { platform: "darwin", run: slow });
    expect(ended).toEqual({ stillRunning: [], mayRunMore: false });
    expect(await running(names)).toEqual([]);
  });

  it("touches nobody whose number may have become a stranger's", async () => {
    const [name] = sleepers(1);
    const { root } = await start(name!, [name!]);
    const old = { ...root, isRecent: false };
    const ended = await endTree(old, { graceMs: 0 }, { platform: "darwin", run: silent });
    expect(ended).toEqual({ stillRunning: [], mayRunMore: true });
    expect(await running([name!])).toHaveLength(1);
    expect(await findOrphans([old], { platform: "darwin", run: silent })).toEqual({
      found: [],
      isKnown: false,
    });
    await endTree(root, { graceMs: 0 }, mac);
  });

  it("is asked a few times in a Stop, not all the time", async () => {
    const names = sleepers(1);
    const { root } = await start(`trap '' TERM HUP; ${names[0]}`, names);
    let asked = 0;
    const counting: RunProgram = (file, args, options) => {
      asked += 1;
      return hidesEnvironments(file, args, options);
    };
    await endTree(root, { graceMs: 600 }, { platform: "darwin", run: counting });
    expect(asked).toBeLessThanOrEqual(8);
  });
});
