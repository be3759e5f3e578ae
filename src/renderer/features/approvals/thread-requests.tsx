/** What waits in the open thread: one whole card at a time above the message field, with its decisions and its keys. */
import { useMemo } from "react";
import type { ThreadId } from "../../../shared/ids.ts";
import { useNow } from "../../base/clock.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { countWaiting } from "../../base/stores/waiting.ts";
import { Announcer } from "./announcer.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { arrangeRows, chooseApprovals } from "./arrange-queue.ts";
import { QueueDialogs } from "./queue-dialogs.tsx";
import { noFilters, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { useOrder } from "./use-order.ts";

/** Here and not among the messages: one that is scrolled away, or folded in the run of a sub-agent, could not be seen. */
export function ThreadRequests({ threadId }: { threadId: ThreadId }) {
  const pending = useApprovals((state) => state.pending);
  const currentId = useQueue((state) => state.currentId);
  const now = useNow(10_000);
  const rows = useMemo(() => {
    const own = pending.filter((one) => one.threadId === threadId);
    return arrangeRows(chooseApprovals(own, "all", noFilters, now), "all");
  }, [pending, threadId, now]);
  useOrder(rows);
  const row = rows.find((one) => one.key === currentId);
  return (
    <>
      {row?.kind === "card" && (
        <section
          aria-label={strings.region}
          data-queue
          className="mx-4 mb-2 flex max-h-160 min-h-32 w-[calc(100%-32px)] max-w-[820px] flex-col overflow-hidden rounded-lg border border-accent bg-surface"
        >
          <ApprovalCard key={row.key} approval={row.approval} inThread />
        </section>
      )}
      <Announcer count={countWaiting(pending, now)} />
      <QueueDialogs />
    </>
  );
}
