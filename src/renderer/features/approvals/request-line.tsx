/** One request, or several alike, in one line: risk by its shape, verb, object, thread and age. */
import { ArrowUpRight } from "lucide-react";
import { memo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useNow } from "../../base/clock.ts";
import { formatAge } from "../../base/words.ts";
import { cx } from "../../ui/class-names.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { GridCell } from "../../ui/virtual-rows.tsx";
import type { QueueRow } from "./arrange-queue.ts";
import { ageCell, LineFrame, objectCell, shapeCell, threadCell, verbCell } from "./line-frame.tsx";
import { toggled, useQueue } from "./queue-store.ts";
import { RiskShape } from "./risk-shape.tsx";
import { firstLineOf, nameOfRow, objectOf, threadsOf, verbOf } from "./row-words.ts";
import { strings } from "./strings.ts";
import { classOf } from "./verdict-class.ts";

type RequestLineProps = { row: Extract<QueueRow, { kind: "card" | "alike" }>; index: number };

export const RequestLine = memo(function RequestLine({ row, index }: RequestLineProps) {
  const { key } = row;
  const now = useNow(10_000);
  const selected = useQueue((state) => row.kind === "card" && state.selected.has(row.approval.id));
  // The heading above them names it.
  const underThread = useQueue((state) => state.view === "thread");
  const approval = row.kind === "card" ? row.approval : row.approvals[0];
  if (!approval) return null;
  const beyond = classOf(approval.verdict);
  return (
    <LineFrame rowKey={key} index={index} label={nameOfRow(row, now)} selected={selected}>
      <GridCell className={cx(shapeCell, row.kind === "card" && row.within && "ml-4")}>
        <RiskShape
          approval={approval}
          className={cx(row.kind === "card" && "group-hover:opacity-0", selected && "opacity-0")}
        />
        {row.kind === "card" && <SelectBox approval={approval} selected={selected} />}
      </GridCell>
      <GridCell className={verbCell}>{verbOf(approval)}</GridCell>
      <GridCell className={objectCell}>
        <RowObject row={row} approval={approval} />
        {(beyond === "leaves" || approval.subject.kind === "url") && (
          <ArrowUpRight
            aria-hidden
            className="size-3.5 shrink-0 text-ink-2 forced-colors:text-[CanvasText]"
          />
        )}
      </GridCell>
      <GridCell className={threadCell}>
        {!underThread && (
          <ForeignText
            text={threadsOf(row.kind === "card" ? [row.approval] : row.approvals)}
            className="truncate"
          />
        )}
      </GridCell>
      <GridCell className={ageCell}>{formatAge(approval.requestedAt, now)}</GridCell>
    </LineFrame>
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
  const { first, count } = firstLineOf(approval);
  return (
    <>
      {approval.subject.kind === "question" ? (
        <ForeignText text={first} className="min-w-0 truncate" />
      ) : (
        <ExactText text={first} oneLine className="min-w-0 truncate whitespace-nowrap!" />
      )}
      {count > 1 && <span className="shrink-0 text-sm text-ink-3">{strings.lines(count)}</span>}
    </>
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
          "size-4 cursor-pointer appearance-auto accent-ink group-hover:opacity-100 focus-visible:opacity-100",
          selected ? "opacity-100" : "opacity-0",
        )}
      />
    </label>
  );
}
