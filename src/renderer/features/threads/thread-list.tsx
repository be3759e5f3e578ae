/** The list "Threads": every thread by what it needs, with what it does now, and a way to find one. */
import { Archive, Folders, Plus, RotateCw } from "lucide-react";
import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ThreadId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useConnection } from "../../base/stores/host-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { describeError, lastSegment } from "../../base/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { SearchField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { showProblem } from "../../ui/toast.tsx";
import { VirtualList } from "../../ui/virtual-rows.tsx";
import { arrangeThreads, keepPlaces, type ThreadListRow } from "./arrange-threads.ts";
import { createThread } from "./create-thread.ts";
import { OverviewHead, OverviewRow } from "./overview-row.tsx";
import { strings } from "./strings.ts";
import { ThreadRow } from "./thread-row.tsx";
import { ThreadSearch } from "./thread-search.tsx";
import { useStandings } from "./use-standings.ts";

/** @param wide a view of its own with columns, rather than the narrow column beside another view. */
export function ThreadList({ wide = false }: { wide?: boolean }) {
  const [query, setQuery] = useState("");
  const [grouped, setGrouped] = useState(false);
  const [archived, setArchived] = useState(false);
  const tools = (
    <div className={cx("flex items-center gap-1.5", wide ? "ml-auto shrink-0" : "px-3 pt-2 pb-1.5")}>
      <SearchField
        label={strings.search}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        className={wide ? "w-40 min-[1200px]:w-56" : "min-w-0 flex-1"}
      />
      <IconButton
        label={grouped ? strings.ungrouped : strings.grouped}
        aria-pressed={grouped}
        onClick={() => setGrouped(!grouped)}
        className={cx(grouped && "border-line-strong! text-ink!")}
      >
        <Folders />
      </IconButton>
      <Button onClick={() => void createThread()} className="[&_svg]:size-3.5">
        <Plus aria-hidden />
        {strings.newThread}
      </Button>
    </div>
  );
  return (
    <>
      {wide ? <OverviewHead>{tools}</OverviewHead> : tools}
      {query.trim() ? (
        <ThreadSearch query={query.trim()} />
      ) : (
        <Rows wide={wide} grouped={grouped} archived={archived} />
      )}
      <ListFooter archived={archived} onArchived={setArchived} />
    </>
  );
}

function Rows({ wide, grouped, archived }: { wide: boolean; grouped: boolean; archived: boolean }) {
  const standings = useStandings();
  const ready = useConnection((state) => state.ready);
  const sorted = useMemo(
    () => arrangeThreads(standings, { grouped, archived }),
    [standings, grouped, archived],
  );
  const { rows, pointing } = useCalmRows(sorted, `${grouped} ${archived}`);
  if (!ready) return <p className="flex-1 px-3 text-ink-3">{common.loading}</p>;
  return (
    <div {...pointing} className="flex min-h-0 flex-1 flex-col">
      {rows.length === 0 && (
        <div className="px-3 py-2 text-ink-3">
          <p className="font-medium text-ink-2">{strings.emptyTitle}</p>
          <p>{strings.emptyText}</p>
        </div>
      )}
      <VirtualList
        label={strings.list}
        rows={rows}
        className={wide ? undefined : "px-1.5"}
        onKeyDown={moveBetweenRows}
      >
        {(row) => <Row key={row.key} row={row} wide={wide} />}
      </VirtualList>
    </div>
  );
}

function Row({ row, wide }: { row: ThreadListRow; wide: boolean }) {
  if (row.kind === "thread")
    return wide ? <OverviewRow standing={row.standing} /> : <ThreadRow standing={row.standing} />;
  return (
    <h2
      className={cx(
        "flex items-center gap-2 text-sm font-semibold text-ink-2",
        wide ? "mt-1 h-8 border-b border-line px-4" : "px-2 pt-2 pb-0.5",
      )}
    >
      {row.kind === "section" ? (
        <>
          {strings.sections[row.section]}
          <span className="font-normal text-ink-3 tabular-nums">{row.count}</span>
        </>
      ) : (
        <span className="min-w-0 truncate" title={spellOut(row.folder)}>
          <ForeignText text={lastSegment(row.folder)} />
        </span>
      )}
    </h2>
  );
}

/** Arrow keys go from row to row. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !moveFocus(event.currentTarget, step)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** @returns whether there was a row to go to. */
function moveFocus(list: Element, step: number): boolean {
  const rows = [...list.querySelectorAll<HTMLElement>("[data-thread]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at + step];
  if (at < 0 || !next) return false;
  next.focus();
  return true;
}

type ListFooterProps = { archived: boolean; onArchived: (archived: boolean) => void };

function ListFooter({ archived, onArchived }: ListFooterProps) {
  const byId = useThreads((state) => state.byId);
  const all = [...byId.values()];
  const archivedCount = all.filter((thread) => thread.archived).length;
  const interrupted = all.filter((thread) => thread.status === "interrupted" && thread.can.resume);
  if (archivedCount === 0 && interrupted.length < 2 && !archived) return null;
  return (
    <div className="flex flex-wrap gap-1.5 px-3 py-1.5 [&_svg]:size-3">
      {interrupted.length > 1 && (
        <Button small onClick={() => void resumeAll(interrupted.map((thread) => thread.id))}>
          <RotateCw aria-hidden />
          {strings.resumeAll(interrupted.length)}
        </Button>
      )}
      {(archivedCount > 0 || archived) && (
        <Button small look="quiet" aria-pressed={archived} onClick={() => onArchived(!archived)}>
          <Archive aria-hidden />
          {strings.showArchived(archivedCount)}
        </Button>
      )}
    </div>
  );
}

async function resumeAll(ids: readonly ThreadId[]): Promise<void> {
  const results = await Promise.allSettled(
    ids.map((threadId) => client().call("threads.resume", { commandId: newCommandId(), threadId })),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed) showProblem(common.failed, describeError(failed.reason));
}

type CalmRows = {
  rows: readonly ThreadListRow[];
  /** For the element around the list. */
  pointing: {
    ref: RefObject<HTMLDivElement | null>;
    onPointerEnter(): void;
    onPointerLeave(): void;
    onFocus(): void;
    onBlur(): void;
  };
};

/** @param order what the person chose to see; another choice is another list, which comes sorted. */
function useCalmRows(sorted: readonly ThreadListRow[], order: string): CalmRows {
  const ref = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState({ pointer: false, focus: false });
  const shown = useRef({ order, rows: sorted });
  const holds = isHeld(pointed, ref.current);
  const rows = useMemo(
    () => (holds && shown.current.order === order ? keepPlaces(shown.current.rows, sorted) : sorted),
    [sorted, order, holds],
  );
  useLayoutEffect(() => {
    shown.current = { order, rows };
  }, [order, rows]);
  const set = (change: Partial<typeof pointed>) => setPointed((before) => ({ ...before, ...change }));
  return {
    rows,
    pointing: {
      ref,
      onPointerEnter: () => set({ pointer: true }),
      onPointerLeave: () => set({ pointer: false }),
      onFocus: () => set({ focus: true }),
      onBlur: () => set({ focus: false }),
    },
  };
}

/** Asked of the page as well: what leaves it under the pointer or with the focus takes its event with it. */
function isHeld(pointed: { pointer: boolean; focus: boolean }, box: HTMLElement | null): boolean {
  if (!box) return false;
  return (
    (pointed.pointer && box.matches(":hover")) || (pointed.focus && box.contains(document.activeElement))
  );
}
