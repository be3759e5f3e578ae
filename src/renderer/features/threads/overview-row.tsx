/** The overview: its head, and one thread as a line of columns, with what it does now under its title. */
import { memo, type ReactNode, useId } from "react";
import { factsOf } from "../../../shared/tools/tools.ts";
import { useNow } from "../../base/clock.ts";
import { formatAge, isDemo } from "../../base/words.ts";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { DoingLine, PlanBar } from "./doing-line.tsx";
import { useSeatOf } from "./seats-store.ts";
import { formatSpent, useSpentToday } from "./spent-words.ts";
import { type Section, type Standing, sinceOf } from "./standing.ts";
import { strings } from "./strings.ts";
import { RowFrame, ThreadTitle } from "./thread-row.tsx";
import { ThreadShape } from "./thread-shape.tsx";
import { useStandings } from "./use-standings.ts";

export const OverviewRow = memo(function OverviewRow({ standing }: { standing: Standing }) {
  const { thread, shape, waits } = standing;
  const now = useNow(30_000);
  const seat = useSeatOf(thread.id);
  const doing = useId();
  const facts = useId();
  return (
    <RowFrame standing={standing} className="border-b border-line/55">
      <div className={`${overviewGrid} min-h-12 w-full py-1 text-sm text-ink-2`}>
        <span aria-hidden className="text-ink-3 tabular-nums">
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
          <span aria-hidden className="font-semibold text-accent tabular-nums">
            {waits > 0 && waits}
          </span>
          <span className="text-right whitespace-nowrap tabular-nums">
            {formatAge(sinceOf(standing), now)}
          </span>
          <span className="text-right whitespace-nowrap tabular-nums">{formatSpent(thread.cost)}</span>
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

/** The columns of the overview, the same for its head and its rows: cell, shape, thread, plan, waits, since, cost, model. */
const overviewGrid =
  "grid items-center gap-x-4 pr-8 pl-4 grid-cols-[12px_14px_minmax(0,1fr)_108px_36px_56px_64px_132px] max-[1199px]:grid-cols-[12px_14px_minmax(0,1fr)_96px_32px_52px_60px_84px] max-[1199px]:gap-x-3";

/** The head of the overview: how many need the person, the sums of the rest, and the names of the columns. */
export function OverviewHead({ children }: { children: ReactNode }) {
  const standings = useStandings().filter(({ thread }) => !thread.archived);
  const { overview } = strings;
  const today = useSpentToday();
  const count = (section: Section) => standings.filter((one) => one.section === section).length;
  const commands = standings.filter(
    ({ thread: { activity } }) => activity?.kind === "call" && factsOf(activity.tool)?.kind === "command",
  ).length;
  return (
    <>
      <header className="flex items-baseline gap-6 px-4 pt-4 pb-2">
        <OverviewTitle className="shrink-0 text-xl" />
        <p className="min-w-0 truncate text-ink-2 tabular-nums">
          {overview.sums(count("working"), count("finished"), count("idle"))}
          {today && ` ${overview.today(today)}`}
          {commands > 0 && ` ${overview.commands(commands)}`}
        </p>
        <p className="shrink-0 text-sm text-ink-3 max-[1199px]:hidden">
          {overview.next} <Kbd keys="i" />
        </p>
        {children}
      </header>
      <div aria-hidden className={`${overviewGrid} h-6 text-xs text-ink-3`}>
        <span className="col-start-3">{overview.columns.thread}</span>
        <span>{overview.columns.plan}</span>
        <span>{overview.columns.waits}</span>
        <span className="text-right">{overview.columns.time}</span>
        <span className="text-right">{overview.columns.cost}</span>
        <span>{overview.columns.model}</span>
      </div>
    </>
  );
}

/** "8 of 40 need you": the name of the view, at every width. */
export function OverviewTitle({ className }: { className?: string }) {
  const standings = useStandings().filter(({ thread }) => !thread.archived);
  const needs = standings.filter(({ section }) => section === "needs").length;
  return (
    <h1 className={cx("font-semibold tabular-nums", className)}>
      {strings.overview.title(needs, standings.length)}
    </h1>
  );
}
