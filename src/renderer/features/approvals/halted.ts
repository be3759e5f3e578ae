/** Threads that failed or were interrupted, as entries of the queue: which are looked at, and where they stand. */
import { useMemo } from "react";
import { isHalted, type ThreadSummary } from "../../../shared/contract/threads.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import type { QueueRow } from "./arrange-queue.ts";
import type { QueueFilters, QueueViewName } from "./queue-store.ts";
import { strings } from "./strings.ts";

export type HaltedRow = Extract<QueueRow, { kind: "halted" }>;

const prefix = "halted:";

/** The row of a thread in the queue. */
export function haltedKey(id: ThreadSummary["id"]): string {
  return `${prefix}${id}`;
}

/** The thread of a row that is one of these. */
export function haltedThreadOf(key: string | undefined): ThreadSummary | undefined {
  if (!key?.startsWith(prefix)) return undefined;
  const thread = useThreads.getState().byId.get(key.slice(prefix.length) as ThreadSummary["id"]);
  return thread && isHalted(thread) ? thread : undefined;
}

/** Those that a view with these filters shows, oldest first. */
export function useHalted(view: QueueViewName, filters: QueueFilters, now: number): readonly ThreadSummary[] {
  const threads = useThreads((state) => state.byId);
  return useMemo(() => chooseHalted(threads.values(), view, filters, now), [threads, view, filters, now]);
}

/** None is snoozed or decided, and none has a risk or a tool to be filtered by. */
export function chooseHalted(
  threads: Iterable<ThreadSummary>,
  view: QueueViewName,
  filters: QueueFilters,
  now: number,
): ThreadSummary[] {
  if (view === "snoozed" || view === "decided" || filters.risk !== "any" || filters.tool !== "any") return [];
  const search = filters.search.trim().toLowerCase();
  return [...threads]
    .filter(
      (thread) =>
        isHalted(thread) &&
        (filters.threadId === "any" || thread.id === filters.threadId) &&
        (filters.workspace === "any" || thread.workspace === filters.workspace) &&
        (filters.olderThan === "any" || now - thread.updatedAt >= Number(filters.olderThan) * 60_000) &&
        [thread.title, thread.problem, thread.workspace].some((text) => text?.toLowerCase().includes(search)),
    )
    .sort((a, b) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1));
}

/** By age among the requests where these stand by age; else below them, so that none comes between others. */
export function withHalted(
  rows: readonly QueueRow[],
  halted: readonly ThreadSummary[],
  view: QueueViewName,
): readonly QueueRow[] {
  if (halted.length === 0) return rows;
  const own = halted.map((thread): HaltedRow => ({ kind: "halted", key: haltedKey(thread.id), thread }));
  if (view === "all") return [...rows, ...own].toSorted((a, b) => since(a) - since(b));
  if (view !== "thread" && view !== "workspace") return [...rows, ...own];
  const heading = { kind: "heading" as const, key: "heading:halted", label: strings.halted.heading };
  return [...rows, { ...heading, count: own.length }, ...own];
}

/** Since when it needs the person. */
function since(row: QueueRow): number {
  if (row.kind === "halted") return row.thread.updatedAt;
  return row.kind === "card" ? row.approval.requestedAt : 0;
}
