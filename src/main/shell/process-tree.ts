/** Ends a command with everything it started: politely first, then by force, and names what is still there. */

import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { isSameStart, listProcesses, readLinuxProcess } from "./process-table.ts";
import type { ProcessRef, ProcessRow } from "./ps-table.ts";

/** Where a tree begins: the shell of an execution. */
export interface TreeRoot {
  executionId: string;
  pid: number;
  startTime: string;
}

/** Between two looks at whether everything has ended. */
const POLL_MS = 20;
/** For the kernel to take down what was killed by force. */
const AFTER_KILL_MS = 500;

function addDescendants(table: readonly ProcessRow[], members: Map<number, ProcessRow>): void {
  let added = true;
  while (added) {
    added = false;
    for (const row of table) {
      if (members.has(row.pid) || !members.has(row.parent)) continue;
      members.set(row.pid, row);
      added = true;
    }
  }
}

/**
 * The processes of an execution: those that carry its marker, those in the shell's session and group, and all their
 * descendants. A process that cleared its environment, left the session and lost its parent cannot be found.
 */
export function selectTree(table: readonly ProcessRow[], root: TreeRoot): ProcessRow[] {
  const leader = table.find((row) => row.pid === root.pid);
  const isMarked = (row: ProcessRow) => row.group === root.pid && row.executionId === root.executionId;
  // Without its leader a group is known by its members: the number may have gone to strangers since.
  const groupIsOurs =
    leader === undefined ? table.some(isMarked) : isSameStart(leader.startTime, root.startTime);
  const members = new Map<number, ProcessRow>();
  for (const row of table) {
    const sharesGroup = groupIsOurs && (row.group === root.pid || row.session === root.pid);
    if (sharesGroup || row.executionId === root.executionId) members.set(row.pid, row);
  }
  members.delete(process.pid);
  addDescendants(table, members);
  return [...members.values()];
}

/** Looks at the running system. On Linux pids are handed out in order, but they wrap, so the whole table is read. */
async function findTree(root: TreeRoot): Promise<ProcessRow[]> {
  return selectTree(await listProcesses(), root);
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

function signalTree(members: readonly ProcessRow[], root: TreeRoot, signal: NodeJS.Signals): void {
  if (members.some((row) => row.group === root.pid)) sendToGroup(root.pid, signal);
  for (const row of members) {
    if (row.group !== root.pid) send(row.pid, signal);
  }
}

/** The cheap look while waiting: on Linux only the known processes are read again. */
async function keepRunning(members: readonly ProcessRow[], root: TreeRoot): Promise<ProcessRow[]> {
  if (process.platform !== "linux") return findTree(root);
  return members.filter((row) => {
    const now = readLinuxProcess(row.pid);
    return now !== undefined && isSameStart(now.startTime, row.startTime);
  });
}

/** Waits for the members to go, then looks at everything again, since they may have started others meanwhile. */
async function waitUntilGone(root: TreeRoot, members: ProcessRow[], limitMs: number): Promise<ProcessRow[]> {
  const deadline = performance.now() + limitMs;
  let left = members;
  while (left.length > 0 && performance.now() < deadline) {
    await delay(POLL_MS);
    left = await keepRunning(left, root);
  }
  const all = new Map([...left, ...(await findTree(root))].map((row) => [row.pid, row]));
  return [...all.values()];
}

/** Windows ends a tree in one call, and tells nothing about survivors. */
function endWindowsTree(root: TreeRoot): Promise<ProcessRef[]> {
  return new Promise((resolve) => {
    execFile("taskkill", ["/PID", String(root.pid), "/T", "/F"], () => resolve([]));
  });
}

/**
 * Ends the tree: TERM, `graceMs` to comply, then KILL, twice if something was started meanwhile. Resolves with what
 * still runs, at the latest about `graceMs` + 1 s later. Never rejects.
 */
export async function endTree(root: TreeRoot, graceMs: number): Promise<ProcessRef[]> {
  if (process.platform === "win32") return endWindowsTree(root);
  let members = await findTree(root);
  // Without a table the group is all there is to go by.
  if (members.length === 0 && process.platform !== "linux") sendToGroup(root.pid, "SIGKILL");
  signalTree(members, root, "SIGTERM");
  // A stopped process acts on the signal only once it goes on.
  signalTree(members, root, "SIGCONT");
  members = await waitUntilGone(root, members, graceMs);
  for (let round = 0; round < 2 && members.length > 0; round += 1) {
    signalTree(members, root, "SIGKILL");
    members = await waitUntilGone(root, members, AFTER_KILL_MS / 2);
  }
  return members.map(({ pid, startTime, name }) => ({ pid, startTime, name }));
}

/** Last act of a dying host, when nothing can be awaited any more. */
export function killGroupNow(pid: number): void {
  if (process.platform === "win32") return;
  sendToGroup(pid, "SIGKILL");
}
