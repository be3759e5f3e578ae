/** The cards of a view as a virtualised list: ten thousand cost what twenty cost. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { Button } from "../../ui/button.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { AlikeRow } from "./alike-row.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { arrangeRows, type QueueRow } from "./arrange-queue.ts";
import { hasQueueFocus } from "./queue-focus.ts";
import { leaveOrder, takeOrder, useQueue } from "./queue-store.ts";
import { lookForRead } from "./read-gauge.ts";
import { strings } from "./strings.ts";
import { useHeldBack } from "./use-held-back.ts";

type QueueListProps = { approvals: readonly Approval[]; compact: boolean; besideThread?: string };

export function QueueList({ approvals, compact, besideThread }: QueueListProps) {
  const view = useQueue((state) => (compact ? "all" : state.view));
  const openShapes = useQueue((state) => state.openShapes);
  const [engaged, setEngaged] = useState({ pointer: false, focus: false });
  const { shown, held, release } = useHeldBack(approvals, engaged.pointer || engaged.focus);
  const rows = useMemo(
    () => arrangeRows(shown, view, openShapes, besideThread),
    [shown, view, openShapes, besideThread],
  );
  const list = useRef<VirtualizerHandle>(null);
  const currentRow = useCurrentRow(rows, list);
  useOrder(rows);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that a person is looking, it does nothing when pressed
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onPointerEnter={() => setEngaged((state) => ({ ...state, pointer: true }))}
      onPointerLeave={() => setEngaged((state) => ({ ...state, pointer: false }))}
      onFocus={() => setEngaged((state) => ({ ...state, focus: true }))}
      onBlur={() => setEngaged((state) => ({ ...state, focus: false }))}
    >
      {held > 0 && (
        <div role="status" className="absolute inset-x-0 top-1 z-10 flex justify-center">
          <Button small look="primary" className="rounded-full shadow-pop" onClick={release}>
            {strings.newAbove(held)}
          </Button>
        </div>
      )}
      <VirtualList
        handle={list}
        label={strings.region}
        rows={rows}
        keepMounted={currentRow >= 0 ? [currentRow] : undefined}
        className={compact ? "px-2 pb-2" : "px-4 pb-4"}
      >
        {(row) => (
          <div key={row.key} className={compact ? "pt-2" : "mx-auto max-w-[920px] pt-3"}>
            <Row row={row} compact={compact} />
          </div>
        )}
      </VirtualList>
    </div>
  );
}

function Row({ row, compact }: { row: QueueRow; compact: boolean }) {
  if (row.kind === "card") return <ApprovalCard approval={row.approval} compact={compact} />;
  if (row.kind === "alike") return <AlikeRow row={row} />;
  return (
    <div className="flex items-baseline gap-2 pt-1 font-semibold">
      <ForeignText text={row.label} />
      <span className="text-sm font-normal text-ink-3">{row.count}</span>
    </div>
  );
}

/** Tells the keys which cards and groups stand on the screen, in order. */
function useOrder(rows: readonly QueueRow[]): void {
  const own = useRef<readonly string[]>([]);
  useLayoutEffect(() => {
    const order = rows.flatMap((row) => (row.kind === "heading" ? [] : row.key));
    const groups = new Map(
      rows.flatMap((row) =>
        row.kind === "alike" ? [[row.key, row.approvals.map(({ id }) => id)] as const] : [],
      ),
    );
    own.current = order;
    takeOrder(order, groups, hasQueueFocus());
    lookForRead();
  }, [rows]);
  // Without a list on the screen there is nothing for keys to act on.
  useEffect(() => () => leaveOrder(own.current), []);
}

/** Where the current card stands; brings it into view when the focus is to go there. */
function useCurrentRow(rows: readonly QueueRow[], list: React.RefObject<VirtualizerHandle | null>): number {
  const currentId = useQueue((state) => state.currentId);
  const focusId = useQueue((state) => state.focusId);
  const index = useMemo(() => rows.findIndex((row) => row.key === currentId), [rows, currentId]);
  useEffect(() => {
    if (focusId === undefined || index < 0) return;
    list.current?.scrollToIndex(index, { align: "nearest" });
  }, [focusId, index, list]);
  return index;
}
