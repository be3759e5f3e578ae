/** Everything that waits, one line each: what the eye runs over while the card beside it has it whole. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { useNow } from "../../base/clock.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { strings as appStrings } from "../../base/strings.ts";
import { formatAge } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { LineShape } from "../../ui/line-shape.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { GridCell, GridRow, VirtualGrid } from "../../ui/virtual-rows.tsx";
import { ThreadShape } from "../threads/thread-shape.tsx";
import type { QueueRow } from "./arrange-queue.ts";
import type { DecidedRow } from "./decided-rows.ts";
import type { HaltedRow } from "./halted.ts";
import { NewAbove } from "./held-back.tsx";
import { ageCell, LineFrame, objectCell, shapeCell, threadCell, verbCell, verbRoom } from "./line-frame.tsx";
import { useQueue } from "./queue-store.ts";
import { RequestLine } from "./request-line.tsx";
import { objectOf, verbOf } from "./row-words.ts";
import { strings } from "./strings.ts";
import { type Undoable, undo, useUndo } from "./undo.ts";

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

const words = strings.halted;

/** A thread that failed or was interrupted, in one line among the requests. */
function HaltedLine({ row: { key, thread }, index }: { row: HaltedRow; index: number }) {
  const now = useNow(10_000);
  const age = formatAge(thread.updatedAt, now);
  const { verb, said } = sayings(thread);
  return (
    <LineFrame
      rowKey={key}
      index={index}
      label={[said, thread.title, problemOf(thread), age].map(spellOut).join(", ")}
    >
      <GridCell className={shapeCell}>
        <ThreadShape shape={thread.status === "failed" ? "failed" : "interrupted"} />
      </GridCell>
      <GridCell className={verbCell}>{verb}</GridCell>
      <GridCell className={objectCell}>
        <ForeignText text={problemOf(thread)} className="truncate" />
      </GridCell>
      <GridCell className={threadCell}>
        <ForeignText text={thread.title} className="truncate" />
      </GridCell>
      <GridCell className={ageCell}>{age}</GridCell>
    </LineFrame>
  );
}

function sayings({ status }: ThreadSummary) {
  return status === "failed"
    ? { verb: words.retry, said: words.failed }
    : { verb: words.resume, said: words.interrupted };
}

function problemOf({ problem, title }: ThreadSummary): string {
  return problem ?? title;
}

/** A request that was just decided: it stays where it was until it starts, with the way back in its place where there is one. */
function DecidedLine({ row, index }: { row: DecidedRow; index: number }) {
  const { was, entry, offers, settled } = row;
  if (was.kind === "heading" || was.kind === "halted") return null;
  const approval = was.kind === "card" ? was.approval : was.approvals[0];
  if (!approval) return null;
  const what = was.kind === "card" ? objectOf(approval) : was.shape;
  return (
    <GridRow
      place={index}
      data-decided={was.key}
      className="relative flex min-h-9 items-center gap-3 border-y border-transparent forced-colors:border-none pr-4 pl-2 text-ink-3 max-wide:min-h-11 @max-[420px]:gap-2"
    >
      <GridCell className="grid size-7 shrink-0 place-items-center">
        {settled !== "reject" && settled !== "respond" && <ApprovedMark />}
      </GridCell>
      <GridCell className={verbRoom}>{verbOf(approval)}</GridCell>
      <GridCell className="min-w-0 flex-1">
        <ExactText text={what} oneLine className="block truncate whitespace-nowrap!" />
      </GridCell>
      <GridCell className="flex shrink-0 items-center gap-2 whitespace-nowrap text-ink-2">
        {entry ? <Remaining entry={entry} /> : settled ? strings.settled[settled] : strings.deciding}
        {entry && offers && (
          <Button small onClick={() => void undo(entry)}>
            {strings.undo} <Kbd keys="z" />
          </Button>
        )}
      </GridCell>
      {entry && <GraceLine entry={entry} />}
    </GridRow>
  );
}

function Remaining({ entry }: { entry: Undoable }) {
  const now = useNow(250);
  return <span>{strings.approvedStarts(Math.max(1, Math.ceil((entry.effectiveAt - now) / 1_000)))}</span>;
}

/** Runs out as the time does; it is time passing and no decoration, so it runs with reduced motion as well. */
function GraceLine({ entry }: { entry: Undoable }) {
  const graceMs = useSettings((state) => state.settings.undoGraceMs);
  // Scrolled away and back, it goes on where the time is.
  const [passedMs] = useState(() => Math.max(0, graceMs - (entry.effectiveAt - Date.now())));
  return (
    <span
      aria-hidden
      className="absolute inset-x-4 bottom-0 h-0.5 origin-left animate-[fill_1s_linear_reverse_both] bg-line-strong forced-colors:bg-[CanvasText]"
      style={{ animationDuration: `${graceMs}ms`, animationDelay: `${-passedMs}ms` }}
    />
  );
}

/** Two strokes on a line: the agent's and the person's. */
function ApprovedMark() {
  return (
    <LineShape>
      <path d="M2 13.5h12M3.8 10.6 6.6 3M8.8 10.6 11.6 3" />
    </LineShape>
  );
}
