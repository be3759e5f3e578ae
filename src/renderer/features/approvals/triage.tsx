/** The queue on the whole main pane: a line for each request, and beside them one card, always whole, always in the same place. */
import { type ReactNode, useMemo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { useIsWide } from "../../base/media.ts";
import { usePaneWidths } from "../../base/stores/pane-widths.ts";
import { PaneEdge } from "../../ui/pane-edge.tsx";
import { AlikeCard } from "./alike-card.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { arrangeRows, type QueueRow } from "./arrange-queue.ts";
import { useDecidedRows } from "./decided-rows.ts";
import { withHalted } from "./halted.ts";
import { HaltedCard } from "./halted-card.tsx";
import { useHeldBack } from "./held-back.tsx";
import { QueueRows } from "./queue-rows.tsx";
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { useOrder } from "./use-order.ts";

/** `empty` is shown where nothing waits. */
type TriageProps = {
  approvals: readonly Approval[];
  halted: readonly ThreadSummary[];
  empty: ReactNode;
};

export function Triage({ approvals, halted, empty }: TriageProps) {
  const view = useQueue((state) => state.view);
  const openShapes = useQueue((state) => state.openShapes);
  const listOpen = useQueue((state) => state.listOpen);
  const twoPanes = useIsWide();
  const width = usePaneWidths(({ rows }) => rows);
  const { shown, held, release, watch } = useHeldBack(approvals);
  const rows = useMemo(
    () => withHalted(arrangeRows(shown, view, openShapes), halted, view),
    [shown, view, openShapes, halted],
  );
  const withDecided = useDecidedRows(rows, view);
  useOrder(rows);
  if (withDecided.length === 0) return empty;
  return (
    <div {...watch} className="flex min-h-0 flex-1 border-t border-line">
      {(twoPanes || listOpen) && (
        <div
          style={{ width: twoPanes ? width : undefined }}
          className="@container relative flex min-w-0 flex-col max-wide:flex-1 wide:w-[336px] wide:max-w-[60%] wide:shrink-0 wide:border-r wide:border-line min-[1200px]:w-[min(536px,40%)]"
        >
          <PaneEdge pane="rows" label={strings.rowsWidth} side="right" />
          <QueueRows
            rows={withDecided}
            waiting={shown.length}
            halted={halted.length}
            held={held}
            onRelease={release}
          />
        </div>
      )}
      {(twoPanes || !listOpen) && <CurrentCard rows={rows} empty={empty} />}
    </div>
  );
}

/** Each request begins at its own beginning, so its card is made anew. */
function CurrentCard({ rows, empty }: { rows: readonly QueueRow[]; empty: ReactNode }) {
  const currentId = useQueue((state) => state.currentId);
  const row = rows.find((one) => one.key === currentId);
  if (!row || row.kind === "heading")
    return <div className="flex flex-1 bg-surface">{rows.length === 0 && empty}</div>;
  if (row.kind === "alike") return <AlikeCard key={row.key} row={row} />;
  if (row.kind === "halted") return <HaltedCard key={row.key} row={row} />;
  return <ApprovalCard key={row.key} approval={row.approval} inPane />;
}
