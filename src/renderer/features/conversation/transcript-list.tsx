/** The virtualised transcript: follows the end while the person is there, and stays put while they read above. */
import { ArrowDown, MessagesSquare } from "lucide-react";
import { useLayoutEffect, useMemo, useRef } from "react";
import { VList, type VListHandle } from "virtua";
import { useHost } from "../../app/stores/host-store.ts";
import { useThreads } from "../../app/stores/threads-store.ts";
import { describeError, shortenPath } from "../../app/words.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { useConversation, useTranscript } from "./conversation-context.ts";
import { strings } from "./strings.ts";
import { TranscriptRow } from "./transcript-row.tsx";
import { loadOlder } from "./transcript-store.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";

const olderPage = 60;
const nearTopPx = 600;

export function TranscriptList() {
  const order = useTranscript((state) => state.order);
  const liveIds = useTranscript((state) => state.liveIds);
  const rows = useMemo(() => [...order, ...liveIds], [order, liveIds]);
  if (rows.length === 0) return <EmptyTranscript />;
  return <Rows rows={rows} />;
}

function Rows({ rows }: { rows: readonly string[] }) {
  const list = useRef<VListHandle>(null);
  const { onOlder, prepending } = useOlder(rows);
  const { box, away, onScroll, toEnd } = useStickToEnd(list, rows.length);
  return (
    <div ref={box} className="relative flex min-h-0 flex-1 flex-col">
      <VList
        ref={list}
        shift={prepending}
        data={rows}
        role="log"
        aria-label={strings.transcript}
        aria-live="off"
        tabIndex={0}
        className="min-h-0 flex-1 px-4 py-2 [overflow-anchor:none]"
        onScroll={(offset) => {
          onScroll(offset);
          if (offset < nearTopPx) onOlder();
        }}
      >
        {(id) => (
          <div key={id} className="mx-auto max-w-[820px] py-1.5 empty:py-0">
            <TranscriptRow id={id} />
          </div>
        )}
      </VList>
      {away && (
        <Button
          onClick={toEnd}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-pop [&_svg]:size-3.5"
        >
          <ArrowDown aria-hidden />
          {strings.latest}
        </Button>
      )}
    </div>
  );
}

function EmptyTranscript() {
  const { threadId } = useConversation();
  const workspace = useThreads((state) => state.byId.get(threadId)?.workspace ?? "");
  const home = useHost((state) => state.host?.home);
  return (
    <EmptyState icon={<MessagesSquare />} title={strings.emptyTitle}>
      {strings.emptyText(shortenPath(workspace, home))}
    </EmptyState>
  );
}

/** Reads older pages one at a time; `prepending` holds for the render in which they come in. */
function useOlder(rows: readonly string[]) {
  const { store, threadId } = useConversation();
  const busy = useRef(false);
  const known = useRef(rows);
  const prepending =
    rows.length > known.current.length &&
    rows[0] !== known.current[0] &&
    rows.at(-known.current.length) === known.current[0];
  useLayoutEffect(() => {
    known.current = rows;
  }, [rows]);
  async function read() {
    if (busy.current || !store.getState().hasMore) return;
    busy.current = true;
    try {
      await loadOlder(store, threadId, olderPage);
    } catch (error) {
      showProblem(strings.failedToOpen, describeError(error));
    } finally {
      busy.current = false;
    }
  }
  return { onOlder: () => void read(), prepending };
}
