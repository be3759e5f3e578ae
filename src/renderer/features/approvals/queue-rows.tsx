/** Everything that waits, one line each: what the eye runs over while the card beside it has it whole. */
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import { strings as appStrings } from "../../base/strings.ts";
import { Button } from "../../ui/button.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { GridCell, GridRow, VirtualGrid } from "../../ui/virtual-grid.tsx";
import type { QueueRow } from "./arrange-queue.ts";
import { DecidedLine } from "./decided-line.tsx";
import type { DecidedRow } from "./decided-rows.ts";
import { HaltedLine } from "./halted-line.tsx";
import { NewAbove } from "./new-above.tsx";
import { useQueue } from "./queue-store.ts";
import { RequestLine } from "./request-line.tsx";
import { strings } from "./strings.ts";
import { useUndo } from "./undo.ts";

type QueueRowsProps = {
  rows: readonly (QueueRow | DecidedRow)[];
  /** How many wait, whatever groups they stand in. */
  waiting: number;
  /** How many threads came to a halt. */
  halted: number;
  held: number;
  onRelease: () => void;
};

export function QueueRows({ rows, waiting, halted, held, onRelease }: QueueRowsProps) {
  const list = useRef<VirtualizerHandle>(null);
  const currentId = useQueue((state) => state.currentId);
  const current = useMemo(() => rows.findIndex((row) => row.key === currentId), [rows, currentId]);
  useEffect(() => {
    if (current >= 0) list.current?.scrollToIndex(current, { align: "nearest" });
  }, [current]);
  useUndoInPlace(rows);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <NewAbove held={held} onRelease={onRelease} />
      <VirtualGrid
        handle={list}
        label={appStrings.waiting(waiting, halted)}
        rows={rows}
        keepMounted={current >= 0 ? [current] : undefined}
        className="pb-2"
      >
        {(row, index) => {
          if (row.kind === "decided") return <DecidedLine key={row.key} row={row} index={index} />;
          if (row.kind === "heading") return <HeadingLine key={row.key} row={row} index={index} />;
          if (row.kind === "halted") return <HaltedLine key={row.key} row={row} index={index} />;
          return <RequestLine key={row.key} row={row} index={index} />;
        }}
      </VirtualGrid>
      <BulkBar />
    </div>
  );
}

function HeadingLine({ row, index }: { row: Extract<QueueRow, { kind: "heading" }>; index: number }) {
  return (
    <GridRow place={index}>
      <GridCell className="flex items-baseline gap-2 px-4 pt-3 pb-1 font-semibold">
        <ForeignText text={row.label} />
        <span className="text-sm font-normal text-ink-3">{row.count}</span>
      </GridCell>
    </GridRow>
  );
}

/** What can be done with the selected cards; there only while something is selected. */
function BulkBar() {
  const selected = useQueue((state) => state.selected);
  if (selected.size === 0) return null;
  const ask = (verb: "approve" | "reject") => useQueue.setState({ bulk: { verb, ids: [...selected] } });
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line bg-hover px-4 py-2">
      <span className="flex-1 font-medium">{strings.selected(selected.size)}</span>
      <Button small onClick={() => ask("approve")}>
        {strings.approveSelected} <Kbd keys="Shift+Y" />
      </Button>
      <Button small onClick={() => ask("reject")}>
        {strings.rejectSelected} <Kbd keys="Shift+N" />
      </Button>
      <Button small look="quiet" onClick={() => useQueue.setState({ selected: new Set() })}>
        {strings.clearSelection}
      </Button>
    </div>
  );
}

/** Says which decisions the rows offer to take back, so that nothing else has to. */
function useUndoInPlace(rows: QueueRowsProps["rows"]): void {
  useLayoutEffect(() => {
    const inPlace = new Set(rows.flatMap((row) => (row.kind === "decided" && row.entry ? row.entry : [])));
    useUndo.setState({ inPlace });
    return () => useUndo.setState({ inPlace: new Set() });
  }, [rows]);
}
