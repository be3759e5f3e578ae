/** One request, or several alike, in one line: risk by its shape, verb, object, thread and age. */
import { ArrowUpRight } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useNow } from "../../base/clock.ts";
import { formatAge } from "../../base/words.ts";
import { cx } from "../../ui/class-names.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { GridCell, GridRow } from "../../ui/virtual-grid.tsx";
import type { QueueRow } from "./arrange-queue.ts";
import { areRowsFocused } from "./queue-focus.ts";
import { makeCurrent, openCard, toggled, useQueue } from "./queue-store.ts";
import { RiskShape } from "./risk-shape.tsx";
import { nameOfRow, objectOf, verbOf } from "./row-words.ts";
import { strings } from "./strings.ts";
import { classOf } from "./verdict-class.ts";

type RequestLineProps = { row: Extract<QueueRow, { kind: "card" | "alike" }>; index: number };

export const RequestLine = memo(function RequestLine({ row, index }: RequestLineProps) {
  const { key } = row;
  const now = useNow(10_000);
  const element = useRef<HTMLDivElement>(null);
  const current = useQueue((state) => state.currentId === key);
  const selected = useQueue((state) => row.kind === "card" && state.selected.has(row.approval.id));
  useTakeRowFocus(key, element);
  const approval = row.kind === "card" ? row.approval : row.approvals[0];
  if (!approval) return null;
  const beyond = classOf(approval.verdict);
  return (
    <GridRow
      ref={element}
      place={index}
      data-queue-row={key}
      aria-selected={current}
      aria-label={nameOfRow(row, now)}
      tabIndex={current ? 0 : -1}
      onFocus={(event) => event.target === event.currentTarget && makeCurrent(key)}
      onClick={(event) => !isOnSelectBox(event.target) && openCard(key)}
      className={cx(
        "group relative flex min-h-9 cursor-default items-center gap-3 pr-4 pl-2 max-wide:min-h-11 @max-[420px]:gap-2",
        current
          ? "border-y border-line before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]"
          : "border-y border-transparent hover:bg-hover",
        selected ? "bg-accent-soft" : current && "bg-surface",
      )}
    >
      <GridCell className="relative grid size-7 shrink-0 place-items-center">
        <RiskShape approval={approval} className={cx("group-hover:opacity-0", selected && "opacity-0")} />
        {row.kind === "card" && <SelectBox approval={approval} selected={selected} />}
      </GridCell>
      <GridCell className="w-[3.6rem] shrink-0 text-ink-2">{verbOf(approval)}</GridCell>
      <GridCell className="flex min-w-0 flex-1 items-center gap-2">
        <RowObject row={row} approval={approval} />
        {beyond && (
          <ArrowUpRight
            aria-hidden
            className="size-3.5 shrink-0 text-ink-2 forced-colors:text-[CanvasText]"
          />
        )}
      </GridCell>
      <GridCell className="w-[5.9rem] shrink-0 truncate text-ink-2 @max-[420px]:hidden">
        <ForeignText text={approval.threadTitle} className="truncate" />
      </GridCell>
      <GridCell className="w-[3.6rem] shrink-0 text-right text-sm whitespace-nowrap text-ink-3 tabular-nums">
        {formatAge(approval.requestedAt, now)}
      </GridCell>
    </GridRow>
  );
});

function RowObject({ row, approval }: { row: RequestLineProps["row"]; approval: Approval }) {
  if (row.kind === "alike")
    return (
      <>
        <ExactText text={row.shape} oneLine className="min-w-0 truncate whitespace-nowrap!" />
        <span className="shrink-0 rounded-sm border border-line-strong px-1 text-xs text-ink-2">
          {strings.alikeShort(row.approvals.length)}
        </span>
      </>
    );
  const text = objectOf(approval);
  return approval.subject.kind === "question" ? (
    <ForeignText text={text} className="min-w-0 truncate" />
  ) : (
    <ExactText text={text} oneLine className="min-w-0 truncate whitespace-nowrap!" />
  );
}

/** Lies over the shape, and is seen once it is of use: under the pointer, with the focus, or taken. */
function SelectBox({ approval, selected }: { approval: Approval; selected: boolean }) {
  return (
    <label data-select className="absolute inset-0 grid cursor-pointer place-items-center">
      <input
        type="checkbox"
        tabIndex={-1}
        checked={selected}
        onChange={() => useQueue.setState((state) => ({ selected: toggled(state.selected, approval.id) }))}
        aria-label={strings.select(spellOut(objectOf(approval).slice(0, 80)))}
        className={cx(
          "size-4 cursor-pointer appearance-auto accent-accent group-hover:opacity-100 focus-visible:opacity-100",
          selected ? "opacity-100" : "opacity-0",
        )}
      />
    </label>
  );
}

function isOnSelectBox(target: EventTarget): boolean {
  return target instanceof Element && target.closest("[data-select]") !== null;
}

/** Takes the focus when its row is to have it and the focus is among the rows. */
function useTakeRowFocus(key: string, element: React.RefObject<HTMLElement | null>): void {
  const wanted = useQueue((state) => state.focusId === key);
  useEffect(() => {
    if (!wanted || !areRowsFocused()) return;
    element.current?.focus({ preventScroll: true });
    useQueue.setState({ focusId: undefined });
  }, [wanted, element]);
}
