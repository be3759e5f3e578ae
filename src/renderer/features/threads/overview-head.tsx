/** The head of the overview: how many need the person, the sums of the rest, and the names of the columns. */
import type { ReactNode } from "react";
import { factsOf } from "../../../shared/tools/tools.ts";
import { cx } from "../../ui/class-names.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { overviewGrid } from "./overview-grid.ts";
import { useSpentToday } from "./spent-words.ts";
import type { Section, Standing } from "./standing.ts";
import { strings } from "./strings.ts";
import { useStandings } from "./use-standings.ts";

export function OverviewHead({ children }: { children: ReactNode }) {
  const standings = useStandings().filter(({ thread }) => !thread.archived);
  const { overview } = strings;
  const today = useSpentToday();
  const count = (section: Section) => standings.filter((one) => one.section === section).length;
  const commands = commandsIn(standings);
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

/** How many commands run on this computer now. */
function commandsIn(standings: readonly Standing[]): number {
  return standings.filter(
    ({ thread: { activity } }) => activity?.kind === "call" && factsOf(activity.tool)?.kind === "command",
  ).length;
}
