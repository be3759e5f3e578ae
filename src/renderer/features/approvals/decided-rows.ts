/** The rows of the list with those that were just decided still in their places, for as long as one can be taken back. */
import { useLayoutEffect, useMemo, useRef } from "react";
import type { DecisionType } from "../../../shared/contract/decisions.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import type { QueueRow } from "./arrange-queue.ts";
import { useQueue } from "./queue-store.ts";
import { useSettled } from "./settled.ts";
import { type Undoable, useUndo } from "./undo.ts";

/**
 * `entry` takes it back, and `offers` marks the one row of it that has the button; `settled` says what became of one that
 * cannot be taken back. With neither the decision is on its way.
 */
export type DecidedRow = {
  kind: "decided";
  key: string;
  was: QueueRow;
  entry?: Undoable;
  offers: boolean;
  settled?: DecisionType;
};

/** @param list what is looked at; another one keeps no places of this. */
export function useDecidedRows(rows: readonly QueueRow[], list: string): (QueueRow | DecidedRow)[] {
  const entries = useUndo((state) => state.entries);
  const busy = useQueue((state) => state.busy);
  const settled = useSettled((state) => state.how);
  const placed = useRef<{ list: string; rows: readonly QueueRow[] }>({ list, rows });
  const all = useMemo(
    () => keepPlaces(placed.current.list === list ? placed.current.rows : [], rows),
    [rows, list],
  );
  useLayoutEffect(() => {
    placed.current = { list, rows: all };
  }, [all, list]);
  return useMemo(
    () => drawDecided(all, new Set(rows), { entries, busy, settled }),
    [all, rows, entries, busy, settled],
  );
}

type Decisions = {
  entries: readonly Undoable[];
  busy: ReadonlySet<ApprovalId>;
  settled: ReadonlyMap<ApprovalId, DecisionType>;
};

function drawDecided(
  all: readonly QueueRow[],
  there: ReadonlySet<QueueRow>,
  { entries, busy, settled }: Decisions,
): (QueueRow | DecidedRow)[] {
  const offered = new Set<Undoable>();
  return all.flatMap((row): (QueueRow | DecidedRow)[] => {
    if (there.has(row)) return [row];
    const ids = idsOf(row);
    const entry = entries.find((one) => ids.some((id) => one.ids.includes(id)));
    const how = ids.map((id) => settled.get(id)).find((type) => type !== undefined);
    if (!entry && !how && !ids.some((id) => busy.has(id))) return [];
    const offers = entry !== undefined && !offered.has(entry);
    if (entry) offered.add(entry);
    return [{ kind: "decided", key: `decided:${row.key}`, was: row, entry, offers, settled: how }];
  });
}

function idsOf(row: QueueRow): readonly ApprovalId[] {
  if (row.kind === "heading" || row.kind === "halted") return [];
  return row.kind === "card" ? [row.approval.id] : row.approvals.map(({ id }) => id);
}

/** As many rows that left as are remembered. */
const mostGone = 500;

/**
 * @param before the rows as they were placed the last time, those that had left among them.
 * @param now the rows there are, in their order.
 * @returns these in the same order, and each that has left after the row it stood below.
 */
export function keepPlaces<Row extends { key: string }>(
  before: readonly Row[],
  now: readonly Row[],
): readonly Row[] {
  const there = new Set(now.map((row) => row.key));
  const gone = before.filter((row) => !there.has(row.key)).slice(-mostGone);
  if (gone.length === 0) return now;
  const kept = new Set(gone);
  const below = new Map<string | undefined, Row[]>();
  let above: string | undefined;
  for (const row of before) {
    if (there.has(row.key)) above = row.key;
    else if (kept.has(row)) below.set(above, [...(below.get(above) ?? []), row]);
  }
  return [...(below.get(undefined) ?? []), ...now.flatMap((row) => [row, ...(below.get(row.key) ?? [])])];
}
