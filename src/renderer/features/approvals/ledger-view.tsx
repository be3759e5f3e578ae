/** The view "Decided": every decision there was, newest first, searchable. */
import { Download, History } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { LedgerEntry } from "../../../shared/contract/ledger.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { ErrorState } from "../../ui/unanswered.tsx";
import { VirtualList } from "../../ui/virtual-rows.tsx";
import { LedgerRow } from "./ledger-row.tsx";
import { ledgerStrings } from "./ledger-strings.ts";
import { type QueueFilters, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

const pageSize = 100;
const searchPauseMs = 200;

export function LedgerView() {
  const query = useQueue((state) => state.filters.search.trim());
  const seen = useQueue((state) => state.filters.seen);
  const { entries, hasMore, problem, loadMore, reload } = useLedger(query, seen);
  if (problem) return <ErrorState title={ledgerStrings.ledgerFailed} problem={problem} onRetry={reload} />;
  if (!entries) return null;
  if (entries.length === 0)
    return (
      <EmptyState
        icon={<History />}
        title={query || seen !== "any" ? strings.noneMatch : ledgerStrings.ledgerEmpty}
      />
    );
  return (
    <>
      <VirtualList label={strings.views.decided} rows={entries} className="px-4 pt-2">
        {(entry) => <LedgerRow key={entry.id} entry={entry} />}
      </VirtualList>
      <div className="flex gap-2 border-t border-line px-4 py-2 [&_svg]:size-3.5">
        {hasMore && <Button onClick={loadMore}>{ledgerStrings.loadMore}</Button>}
        <Button onClick={() => void exportLedger()}>
          <Download aria-hidden />
          {ledgerStrings.exportLedger}
        </Button>
      </div>
    </>
  );
}

async function exportLedger(): Promise<void> {
  try {
    const { path } = await client().call("approvals.exportLedger", {});
    showToast(ledgerStrings.exported(path));
  } catch (error) {
    showProblem(ledgerStrings.ledgerFailed, describeError(error));
  }
}

type Ledger = { query: string; entries?: LedgerEntry[]; hasMore: boolean; problem?: string };

function useLedger(query: string, seen: QueueFilters["seen"]) {
  const [state, setState] = useState<Ledger>({ query, hasMore: false });
  const [attempt, setAttempt] = useState(0);

  const load = useCallback(
    async (before: LedgerEntry[]) => {
      try {
        const page = await client().call("approvals.ledger", {
          ...(query && { query }),
          ...(seen !== "any" && { seen }),
          ...(before.length > 0 && { before: before.at(-1)?.id }),
          limit: pageSize,
        });
        return { query, entries: [...before, ...page.entries], hasMore: page.hasMore };
      } catch (error) {
        return { query, hasMore: false, problem: describeError(error) };
      }
    },
    [query, seen],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(
      async () => {
        const next = await load([]);
        if (!gone) setState(next);
      },
      query ? searchPauseMs : 0,
    );
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [load, query, attempt]);

  return {
    ...state,
    loadMore: () => void load(state.entries ?? []).then(setState),
    reload: () => setAttempt((count) => count + 1),
  };
}
