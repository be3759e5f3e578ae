/** The region "Approvals": everything that waits for a person, on the whole main pane or as part of the list column. */

import { Inbox, SearchX } from "lucide-react";
import { useMemo } from "react";
import { useNow } from "../../base/clock.ts";
import { common } from "../../base/common-strings.ts";
import { useOpenThreadId } from "../../base/navigation.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useConnection } from "../../base/stores/connection-store.ts";
import { strings as appStrings } from "../../base/strings.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { chooseApprovals } from "./arrange-queue.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { LedgerView } from "./ledger-view.tsx";
import { QueueDialogs } from "./queue-dialogs.tsx";
import { QueueList } from "./queue-list.tsx";
import { QueueNote } from "./queue-note.tsx";
import { noFilters, useQueue } from "./queue-store.ts";
import { QueueToolbar } from "./queue-toolbar.tsx";
import { strings } from "./strings.ts";

export function QueueRegion({ compact = false }: { compact?: boolean }) {
  const pending = useApprovals((state) => state.pending);
  const view = useQueue((state) => (compact ? "all" : state.view));
  const Heading = compact ? "h2" : "h1";
  return (
    <section aria-label={strings.region} data-queue className="flex min-h-0 flex-1 flex-col">
      <div className={compact ? "flex items-center gap-2 px-3 pt-2" : "flex flex-col gap-2 px-4 pt-3 pb-1"}>
        <Heading className={compact ? "font-semibold" : "flex items-center gap-2 text-xl font-semibold"}>
          {strings.region}
          {!compact && pending.length > 0 && <Badge tone="accent">{pending.length}</Badge>}
        </Heading>
        {compact && pending.length > 0 && <Badge tone="accent">{pending.length}</Badge>}
        {!compact && <QueueToolbar pending={pending} />}
      </div>
      {view === "decided" ? <LedgerView /> : <Waiting compact={compact} />}
      <Announcer count={pending.length} />
      <QueueDialogs />
    </section>
  );
}

function Waiting({ compact }: { compact: boolean }) {
  const pending = useApprovals((state) => state.pending);
  const ready = useConnection((state) => state.ready);
  const view = useQueue((state) => (compact ? "all" : state.view));
  const filters = useQueue((state) => (compact ? noFilters : state.filters));
  const now = useNow(10_000);
  const openThread = useOpenThreadId();
  const besideThread = compact ? openThread : undefined;
  const chosen = useMemo(
    () => chooseApprovals(pending, view, filters, now, besideThread),
    [pending, view, filters, now, besideThread],
  );
  if (chosen.length > 0) {
    return (
      <>
        {!compact && <BulkBar />}
        <QueueList approvals={chosen} compact={compact} besideThread={besideThread} />
        <QueueNote compact={compact} />
        {/* Messages stand here while there are any, so that no card is under them. */}
        {!compact && <div aria-hidden className="h-[calc(var(--toast-space,-16px)+16px)] shrink-0" />}
      </>
    );
  }
  if (compact)
    return <p className="px-3 pt-1 pb-3 text-ink-3">{ready ? strings.emptyCompact : common.loading}</p>;
  if (pending.length > 0 && filters !== noFilters) {
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
  return (
    <EmptyState icon={<Inbox />} title={strings.emptyTitle}>
      {strings.emptyText}
    </EmptyState>
  );
}

/** Tells a screen reader, politely, when the number of waiting approvals changes. */
function Announcer({ count }: { count: number }) {
  return (
    <p aria-live="polite" className="sr-only">
      {appStrings.waiting(count)}
    </p>
  );
}
