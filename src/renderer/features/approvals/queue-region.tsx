/** The region "Approvals": everything that waits for a person, on the whole main pane or as part of the list column. */
import { Inbox, List, Plus, SearchX } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useNow } from "../../base/clock.ts";
import { common } from "../../base/common-strings.ts";
import { useIsWide } from "../../base/media.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useConnection } from "../../base/stores/host-store.ts";
import { useHaltedCount } from "../../base/stores/threads-store.ts";
import { useWaitingCount } from "../../base/stores/waiting.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { VirtualList } from "../../ui/virtual-rows.tsx";
import { createThread } from "../threads/create-thread.ts";
import { Announcer } from "./announcer.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { arrangeRows, chooseApprovals, type QueueRow } from "./arrange-queue.ts";
import { useHalted } from "./halted.ts";
import { NewAbove, useHeldBack } from "./held-back.tsx";
import { LedgerView } from "./ledger-view.tsx";
import { QueuePager } from "./place-in-queue.tsx";
import { QueueDialogs } from "./queue-dialogs.tsx";
import { QueueNote } from "./queue-note.tsx";
import { noFilters, useQueue } from "./queue-store.ts";
import { QueueToolbar } from "./queue-toolbar.tsx";
import { strings } from "./strings.ts";
import { Triage } from "./triage.tsx";
import { useOrder } from "./use-order.ts";

export function QueueRegion({ compact = false }: { compact?: boolean }) {
  const waiting = useWaitingCount();
  const halted = useHaltedCount();
  const view = useQueue((state) => (compact ? "all" : state.view));
  return (
    <section aria-label={strings.region} data-queue className="flex min-h-0 flex-1 flex-col">
      {compact ? <ColumnHeader waiting={waiting} /> : <Header />}
      {view === "decided" ? <LedgerView /> : <Waiting compact={compact} />}
      <Announcer count={waiting} halted={halted} />
      <QueueDialogs />
    </section>
  );
}

/** The default screen: the region on the whole main pane. */
export function QueueView() {
  return <QueueRegion />;
}

function ColumnHeader({ waiting }: { waiting: number }) {
  return (
    <div className="flex items-center gap-2 px-3 pt-2">
      <h2 className="font-semibold">{strings.region}</h2>
      {waiting > 0 && <Badge tone="accent">{waiting}</Badge>}
    </div>
  );
}

/** The views and the search; where one card fills the pane, only the ways to the next, the one before and the list. */
function Header() {
  const pending = useApprovals((state) => state.pending);
  const count = useWaitingCount() + useHaltedCount();
  const twoPanes = useIsWide();
  const onCard = useQueue(({ order, listOpen, view }) => order.length > 0 && !listOpen && view !== "decided");
  const title = (
    // On the narrowest windows the rail alone says it to the eye.
    <h1 className="flex items-center gap-2 text-lg font-semibold max-[480px]:sr-only">
      {strings.region}
      {count > 0 && <Badge tone="accent">{count}</Badge>}
    </h1>
  );
  if (!twoPanes && onCard)
    return (
      <div className="flex h-11 shrink-0 items-center gap-2 px-4 [&_svg]:size-4">
        {title}
        <Button onClick={() => useQueue.setState({ listOpen: true })}>
          <List aria-hidden />
          {strings.showList}
        </Button>
        <QueuePager className="size-9" />
      </div>
    );
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2 max-[600px]:gap-x-2">
      {title}
      <QueueToolbar pending={pending} />
      <Button onClick={() => void createThread()} className="ml-auto max-[1023px]:order-1 [&_svg]:size-3.5">
        <Plus aria-hidden />
        <span className="max-[600px]:sr-only">{strings.newThread}</span>
      </Button>
    </div>
  );
}

function Waiting({ compact }: { compact: boolean }) {
  const pending = useApprovals((state) => state.pending);
  const ready = useConnection((state) => state.ready);
  const view = useQueue((state) => (compact ? "all" : state.view));
  const filters = useQueue((state) => (compact ? noFilters : state.filters));
  const now = useNow(10_000);
  const chosen = useSameList(
    useMemo(() => chooseApprovals(pending, view, filters, now), [pending, view, filters, now]),
  );
  const halted = useSameList(useHalted(view, filters, now));
  const anyHalted = useHalted(view, noFilters, now).length > 0;
  const hides = useMemo(
    () =>
      chosen.length + halted.length === 0 &&
      (anyHalted || chooseApprovals(pending, view, noFilters, now).length > 0),
    [chosen, halted, anyHalted, pending, view, now],
  );
  if (compact && chosen.length > 0)
    return (
      <>
        <QueueList approvals={chosen} />
        <QueueNote className="h-12 border-t border-line px-2 py-1" />
      </>
    );
  if (compact)
    return <p className="px-3 pt-1 pb-3 text-ink-3">{ready ? strings.emptyCompact : common.loading}</p>;
  return <Triage approvals={chosen} halted={halted} empty={<Empty filtered={hides} />} />;
}

/** @param filtered something waits in this view that the search or a filter leaves out. */
function Empty({ filtered }: { filtered: boolean }) {
  const isSnoozed = useQueue(({ view }) => view === "snoozed");
  if (!filtered)
    return (
      <EmptyState icon={<Inbox />} title={isSnoozed ? strings.noneSnoozed : strings.emptyTitle}>
        {isSnoozed ? strings.snoozedText : strings.emptyText}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<SearchX />}
      title={strings.noneMatch}
      action={
        <Button onClick={() => useQueue.setState({ filters: noFilters })}>{strings.clearFilters}</Button>
      }
    />
  );
}

/** Keeps a list as it was while the same stand in it in the same order: ten thousand rows are not made anew because time passed. */
function useSameList<T>(list: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(list);
  const same = kept.length === list.length && kept.every((one, at) => one === list[at]);
  if (same) return kept;
  setKept(list);
  return list;
}

/** The cards of all that waits, in the column beside another view, as a virtualised list: ten thousand cost what twenty cost. */
function QueueList({ approvals }: { approvals: readonly Approval[] }) {
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
