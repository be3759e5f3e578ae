/** The order of the threads list. It does not follow activity, so that no row moves under the pointer. Pure. */
import type { ThreadSummary } from "../../../shared/contract/threads.ts";

export type ThreadRow =
  | { kind: "heading"; key: string; label: string }
  | { kind: "thread"; key: string; thread: ThreadSummary };

/** Pinned first, then the newest; by folder when grouped. */
export function arrangeThreads(
  threads: Iterable<ThreadSummary>,
  options: { grouped: boolean; archived: boolean },
): ThreadRow[] {
  const chosen = [...threads]
    .filter((thread) => thread.archived === options.archived)
    .sort(
      (a, b) => Number(b.pinned) - Number(a.pinned) || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
    );
  if (!options.grouped) return chosen.map(row);
  return [...Map.groupBy(chosen, (thread) => thread.workspace)].flatMap(([workspace, members]) => [
    { kind: "heading" as const, key: `folder:${workspace}`, label: workspace },
    ...members.map(row),
  ]);
}

function row(thread: ThreadSummary): ThreadRow {
  return { kind: "thread", key: thread.id, thread };
}
