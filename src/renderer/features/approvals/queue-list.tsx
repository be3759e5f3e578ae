/** The cards of all that waits, in the column beside another view, as a virtualised list: ten thousand cost what twenty cost. */

import { useEffect, useMemo, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { arrangeRows, type QueueRow } from "./arrange-queue.ts";
import { NewAbove } from "./new-above.tsx";
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { useHeldBack } from "./use-held-back.ts";
import { useOrder } from "./use-order.ts";

export function QueueList({ approvals }: { approvals: readonly Approval[] }) {
  const { shown, held, release, watch } = useHeldBack(approvals);
  const rows = useMemo(() => arrangeRows(shown, "all"), [shown]);
  const list = useRef<VirtualizerHandle>(null);
  const currentRow = useCurrentRow(rows, list);
  useOrder(rows);
  return (
    <div {...watch} className="relative flex min-h-0 flex-1 flex-col">
      <NewAbove held={held} onRelease={release} />
      <VirtualList
        handle={list}
        label={strings.region}
        rows={rows}
        keepMounted={currentRow >= 0 ? [currentRow] : undefined}
        className="px-2 pb-2"
      >
        {(row) => (
          <div key={row.key} className="pt-2">
            <Row row={row} />
          </div>
        )}
      </VirtualList>
    </div>
  );
}

function Row({ row }: { row: QueueRow }) {
  if (row.kind === "card") return <ApprovalCard approval={row.approval} />;
  // Where all stand by age, none are drawn together; a thread that came to a halt is told in the list above.
  if (row.kind === "alike" || row.kind === "halted") return null;
  return (
    <div className="flex items-baseline gap-2 pt-1 font-semibold">
      <ForeignText text={row.label} />
      <span className="text-sm font-normal text-ink-3">{row.count}</span>
    </div>
  );
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
