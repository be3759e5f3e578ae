/** One thread in the overview: a line of columns, with what it does now under its title. */
import { memo, useId } from "react";
import { useNow } from "../../base/clock.ts";
import { formatAge, isDemo } from "../../base/words.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { DoingLine } from "./doing-line.tsx";
import { overviewGrid } from "./overview-grid.ts";
import { PlanBar } from "./plan-bar.tsx";
import { useSeatOf } from "./seats-store.ts";
import { formatSpent } from "./spent-words.ts";
import { type Standing, sinceOf } from "./standing.ts";
import { strings } from "./strings.ts";
import { RowFrame, ThreadTitle } from "./thread-row.tsx";
import { ThreadShape } from "./thread-shape.tsx";

export const OverviewRow = memo(function OverviewRow({ standing }: { standing: Standing }) {
  const { thread, shape, waits } = standing;
  const now = useNow(30_000);
  const seat = useSeatOf(thread.id);
  const doing = useId();
  const facts = useId();
  return (
    <RowFrame standing={standing} className="border-b border-line/55">
      <div className={`${overviewGrid} min-h-12 w-full py-1 text-sm text-ink-2 tabular-nums`}>
        <span aria-hidden className="text-ink-3">
          {seat}
        </span>
        <ThreadShape shape={shape} />
        <span className="min-w-0">
          <span className="flex min-w-0 gap-1.5 text-base text-ink">
            <ThreadTitle standing={standing} describedBy={`${doing} ${facts}`} />
          </span>
          <DoingLine standing={standing} id={doing} />
        </span>
        <span id={facts} className="contents">
          {thread.plan ? <PlanBar plan={thread.plan} /> : <span />}
          <span aria-hidden className="font-semibold text-accent">
            {waits > 0 && waits}
          </span>
          <span className="text-right whitespace-nowrap">{formatAge(sinceOf(standing), now)}</span>
          <span className="text-right whitespace-nowrap">{formatSpent(thread.cost)}</span>
          <span className="truncate">
            {thread.actsItself ? (
              ""
            ) : isDemo(thread.model) ? (
              strings.overview.demo
            ) : (
              <ForeignText text={thread.model.model} />
            )}
          </span>
        </span>
      </div>
    </RowFrame>
  );
});
