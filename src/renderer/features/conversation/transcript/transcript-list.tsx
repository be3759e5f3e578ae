/** The virtualised transcript: follows the end while the person is there, stays put while they read above, and reads further pages as they come near either end. */
import { ArrowDown, MessagesSquare } from "lucide-react";
import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import { VList, type VListHandle } from "virtua";
import type { ThreadId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { useHost } from "../../../base/stores/host-store.ts";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { shortenPath } from "../../../base/words.ts";
import { attempt } from "../../../ui/attempt.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { spellOut } from "../../../ui/reveal-characters.ts";
import { Switch } from "../../../ui/switch.tsx";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { usePaintedMatches } from "../find/use-painted-matches.ts";
import { strings } from "../strings.ts";
import { useHeldRows } from "./held-rows.ts";
import { TranscriptRow } from "./transcript-row.tsx";
import { shownPart } from "./transcript-store.ts";
import { loadNewer, loadOlder, showEnd } from "./transcript-window.ts";
import { useShowTarget } from "./use-show-target.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";

const none: readonly string[] = [];

export function TranscriptList() {
  const order = useTranscript((state) => shownPart(state).order);
  const liveIds = useTranscript((state) => (state.window ? none : state.liveIds));
  const generation = useTranscript((state) => state.generation);
  const rows = useMemo(() => [...order, ...liveIds], [order, liveIds]);
  if (rows.length === 0) return <EmptyTranscript />;
  return <Rows key={generation} rows={rows} />;
}

function Rows({ rows }: { rows: readonly string[] }) {
  const { store } = useConversation();
  const list = useRef<VListHandle>(null);
  const hasEnd = useTranscript((state) => state.window === undefined);
  const { onNear, prepending } = usePaging(rows);
  const startsThere = hasEnd && store.getState().target === undefined;
  const stick = useStickToEnd(list, { count: rows.length, hasEnd, startsThere });
  const kept = useShowTarget(list, stick.box, rows, stick.leaveEnd);
  const held = useHeldRows(({ ids }) => ids);
  const mounted = [...held, ...(kept === undefined ? [] : [kept])].map((id) => rows.indexOf(id));
  usePaintedMatches(stick.box);
  useFocusThatWasLost(stick.box);
  function onScroll(offset: number) {
    stick.onScroll(offset);
    const handle = list.current;
    if (handle) onNear(offset, handle.scrollSize - offset - handle.viewportSize);
  }
  function toEnd() {
    if (!hasEnd) return showEnd(store);
    stick.toEnd();
    focusList(stick.box);
  }
  return (
    <div ref={stick.box} className="relative flex min-h-0 flex-1 flex-col">
      <VList
        ref={list}
        shift={prepending}
        data={rows}
        keepMounted={mounted.filter((index) => index >= 0).sort((one, other) => one - other)}
        role="log"
        aria-label={strings.transcript}
        aria-live="off"
        tabIndex={0}
        className="takes-presses min-h-0 flex-1 px-4 py-2 -outline-offset-2 [overflow-anchor:none]"
        onScroll={onScroll}
      >
        {(id) => (
          <div
            key={id}
            data-item={id}
            tabIndex={id === kept ? -1 : undefined}
            className="max-w-[820px] rounded-lg py-1.5 empty:py-0"
          >
            <TranscriptRow id={id} />
          </div>
        )}
      </VList>
      {stick.away && <ToLatest onClick={toEnd} />}
    </div>
  );
}

function ToLatest({ onClick }: { onClick: () => void }) {
  return (
    <Button
      onClick={onClick}
      className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-pop [&_svg]:size-3.5"
    >
      <ArrowDown aria-hidden />
      {strings.latest}
    </Button>
  );
}

/** The button that leads to the end goes with the rows it stood over; the focus must not go with it. */
function useFocusThatWasLost(box: RefObject<HTMLElement | null>): void {
  const { store } = useConversation();
  useLayoutEffect(() => {
    if (store.getState().generation > 0 && document.activeElement === document.body) focusList(box);
  }, [store, box]);
}

function focusList(box: RefObject<HTMLElement | null>): void {
  const scroller = box.current?.firstElementChild;
  if (scroller instanceof HTMLElement) scroller.focus({ preventScroll: true });
}

function EmptyTranscript() {
  const { threadId } = useConversation();
  const workspace = useThreads((state) => state.byId.get(threadId)?.workspace ?? "");
  const home = useHost((state) => state.host?.home);
  return (
    <EmptyState
      icon={<MessagesSquare />}
      title={strings.emptyTitle}
      action={<WorktreeChoice threadId={threadId} />}
    >
      {strings.emptyText(spellOut(shortenPath(workspace, home)))}
    </EmptyState>
  );
}

/** Offers a worktree to a thread that has not begun. */
function WorktreeChoice({ threadId }: { threadId: ThreadId }) {
  const worktree = useThreads((state) => state.byId.get(threadId)?.worktree);
  if (worktree?.state !== "offered") return null;
  async function choose(wanted: boolean) {
    await attempt(() => client().call("threads.chooseWorktree", { threadId, wanted }));
  }
  return (
    <div className="flex flex-col items-center gap-1">
      <Switch
        label={strings.worktree.choice}
        checked={worktree.wanted}
        onChange={(wanted) => void choose(wanted)}
      />
      <p className="text-sm text-ink-3">{strings.worktree.help}</p>
    </div>
  );
}

const nearPx = 600;

/** @returns `prepending`, which holds for the render in which older rows come in, and what to call with the room left. */
function usePaging(rows: readonly string[]) {
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

  async function read(load: typeof loadOlder) {
    busy.current = true;
    await attempt(() => load(store, threadId), strings.failedToOpen);
    busy.current = false;
  }
  /** @param abovePx and `belowPx`: how much is loaded above and below what is in view. */
  function onNear(abovePx: number, belowPx: number) {
    const state = store.getState();
    if (busy.current) return;
    if (abovePx < nearPx && shownPart(state).hasMore) void read(loadOlder);
    else if (belowPx < nearPx && state.window) void read(loadNewer);
  }
  return { onNear, prepending };
}
