/** Which processes belong to a command: by its marks, its group and terminal, by descent, and by what was noted of it. */

import { limitMarkOf } from "./limit-mark.ts";
import { isSameStart } from "./process-table.ts";
import type { ProcessRef, ProcessRow } from "./ps-table.ts";

/** Where a tree begins: the shell of an execution. */
export type TreeRoot = {
  executionId: string;
  pid: number;
  startTime: string;
  /** The name of the command's own terminal, where processes tell theirs. */
  terminal?: string;
  /** Processes that were seen to belong to it while it ran. */
  noted?: readonly Pick<ProcessRef, "pid" | "startTime">[];
  /** It ran until just now, so that its number cannot have become somebody else's. */
  isRecent?: boolean;
};

/** A process cannot be older than the one that started it: then its parent's number was given out anew. */
function isChildOf(row: ProcessRow, parent: ProcessRow | undefined): boolean {
  if (parent === undefined) return false;
  const [one, other] = [Number(row.startTime), Number(parent.startTime)];
  return Number.isNaN(one) || Number.isNaN(other) || row.startTime === "" || one >= other;
}

function addDescendants(table: readonly ProcessRow[], members: Map<number, ProcessRow>): void {
  let added = true;
  while (added) {
    added = false;
    for (const row of table) {
      if (members.has(row.pid) || !isChildOf(row, members.get(row.parent))) continue;
      members.set(row.pid, row);
      added = true;
    }
  }
}

/**
 * The processes of an execution: those that carry one of its marks or were noted, those in the shell's session, group
 * and terminal, and all their descendants. What took off both marks, left the session and lost its parent before anybody
 * saw it cannot be found; nor can what it had another program start, which was there before.
 */
export function selectTree(table: readonly ProcessRow[], root: TreeRoot): ProcessRow[] {
  const leader = table.find((row) => row.pid === root.pid);
  const isNoted = (row: ProcessRow) =>
    root.noted?.some(({ pid, startTime }) => pid === row.pid && isSameStart(startTime, row.startTime)) ??
    false;
  const limitMark = limitMarkOf(root.executionId);
  const isKnown = (row: ProcessRow) =>
    row.executionId === root.executionId || row.limitMark === limitMark || isNoted(row);
  // Without its leader a group is known by its members: the number may have gone to strangers since.
  const groupIsOurs =
    root.pid > 1 &&
    (leader === undefined
      ? root.isRecent === true || table.some((row) => row.group === root.pid && isKnown(row))
      : isSameStart(leader.startTime, root.startTime));
  const isOnTerminal = (row: ProcessRow) => root.terminal !== undefined && row.terminal === root.terminal;
  // Its name goes to the next command as soon as it is closed.
  const terminalIsOurs =
    (groupIsOurs && leader !== undefined && isOnTerminal(leader)) ||
    table.some((row) => isOnTerminal(row) && isKnown(row));
  const members = new Map<number, ProcessRow>();
  for (const row of table) {
    const sharesGroup =
      groupIsOurs && (row.pid === root.pid || row.group === root.pid || row.session === root.pid);
    if (sharesGroup || isKnown(row) || (terminalIsOurs && isOnTerminal(row))) members.set(row.pid, row);
  }
  members.delete(process.pid);
  addDescendants(table, members);
  return [...members.values()];
}
