/** Finds what a host that died left running, and ends it. */

import { listProcesses } from "./process-table.ts";
import { endTree, selectTree, type TreeRoot } from "./process-tree.ts";
import type { ProcessRef } from "./ps-table.ts";

/** An execution whose processes outlived the host that started them. */
export interface Orphan extends TreeRoot {
  processes: ProcessRef[];
}

/** Longer than for a Stop: nobody waits, and the processes may have much to put away. */
const ORPHAN_GRACE_MS = 1000;

/**
 * Looks for processes of the given executions by marker, by pid together with start time, and by descent. Strangers
 * that merely got the same pid are never among them. A host that died before it noted the pid passes 0 and "": the
 * marker alone is searched then. Finds nothing on Windows.
 */
export async function findOrphans(executions: readonly TreeRoot[]): Promise<Orphan[]> {
  if (executions.length === 0) return [];
  const table = await listProcesses();
  return executions.flatMap(({ executionId, pid, startTime }) => {
    const root = { executionId, pid, startTime };
    const processes = selectTree(table, root).map(({ pid, startTime, name }) => ({ pid, startTime, name }));
    return processes.length === 0 ? [] : [{ ...root, processes }];
  });
}

/** Ends an orphan and resolves with what could not be ended, to be named to the person. Never rejects. */
export function endOrphan(orphan: Orphan): Promise<ProcessRef[]> {
  return endTree(orphan, ORPHAN_GRACE_MS);
}
