/** The sums beside the strip: how many need the person, how many work, and what today cost. */
import { useSpentToday } from "../threads/spent-words.ts";
import type { Section } from "../threads/standing.ts";
import { useStandings } from "../threads/use-standings.ts";
import { strings } from "./strings.ts";

export function StripTotals() {
  const standings = useStandings();
  const today = useSpentToday();
  const count = (section: Section) =>
    standings.filter((one) => one.section === section && !one.thread.archived).length;
  const needs = count("needs");
  const works = count("working");
  const sums = [
    ...(needs > 0 ? [strings.needs(needs)] : []),
    ...(works > 0 ? [strings.works(works)] : []),
    ...(today ? [strings.today(today)] : []),
  ];
  return <span className="min-w-0 shrink-3 truncate text-ink-3 tabular-nums">{sums.join(" · ")}</span>;
}
