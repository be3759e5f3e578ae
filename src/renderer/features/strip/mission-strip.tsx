/** One fixed cell for each agent, in every view: its shape is the state, its fill the plan, its number what waits. */
import { useLayoutEffect, useMemo } from "react";
import { useOpenThreadId } from "../../base/navigation.ts";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { doingOf } from "../threads/doing.ts";
import { seat, withoutSeat } from "../threads/seats.ts";
import { useSeats } from "../threads/seats-store.ts";
import type { Standing } from "../threads/standing.ts";
import { strings as threadStrings } from "../threads/strings.ts";
import { stateWords } from "../threads/thread-row.tsx";
import { ThreadShape } from "../threads/thread-shape.tsx";
import { useStandings } from "../threads/use-standings.ts";
import { worktreeWords } from "../threads/worktree-words.ts";
import { strings } from "./strings.ts";

/** Every cell has this size, whatever stands in it: nothing moves when agents come and go. */
const cellSize =
  "h-[43px] w-full min-w-0 wide:h-[31px] wide:w-[60px] min-[1200px]:w-[88px]! min-[1360px]:w-[104px]!";

export function MissionStrip() {
  const standings = useStandings();
  const before = useSeats((state) => state.seats);
  const seats = useMemo(() => seat(before, standings), [before, standings]);
  useLayoutEffect(() => useSeats.setState({ seats }), [seats]);
  const byId = useMemo(() => new Map(standings.map((one) => [one.thread.id, one])), [standings]);
  const others = withoutSeat(seats, standings);
  return (
    <nav
      aria-label={strings.region}
      className="min-w-0 shrink-0 max-[899px]:w-full max-[899px]:border-b max-[899px]:border-line"
    >
      <ol className="grid grid-cols-10 wide:flex">
        {seats.map((id, at) => {
          const standing = id && byId.get(id);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
            <li key={at} className="border-r border-line">
              {standing ? <Cell standing={standing} number={at + 1} /> : <EmptyCell number={at + 1} />}
            </li>
          );
        })}
        <li className="wide:w-12">{others.length > 0 && <More others={others} />}</li>
      </ol>
    </nav>
  );
}

function EmptyCell({ number }: { number: number }) {
  return (
    <span className={cx("flex items-center px-2 text-xs text-ink-3", cellSize)}>
      <span aria-hidden className="max-[899px]:hidden min-[1200px]:hidden">
        {number}
      </span>
      <span className="sr-only">{strings.empty(number)}</span>
    </span>
  );
}

function Cell({ standing, number }: { standing: Standing; number: number }) {
  const { thread, shape, waits } = standing;
  const open = useOpenThreadId() === thread.id;
  const { words, about } = doingOf(standing);
  const needs = standing.section === "needs";
  const worktree = worktreeWords(thread);
  const title = thread.title || threadStrings.untitled;
  return (
    <a
      href={`#/thread/${encodeURIComponent(thread.id)}`}
      aria-current={open ? "page" : undefined}
      title={`${spellOut(title)}\n${words} ${spellOut(about ?? "")}${worktree ? `\n${spellOut(worktree)}` : ""}`}
      className={cx(
        "relative flex flex-col items-center justify-center text-sm wide:flex-row wide:justify-start wide:gap-1 wide:px-1.5",
        "-outline-offset-2! hover:bg-hover",
        open &&
          "bg-raised text-ink shadow-[inset_0_2px_0_var(--ink)] forced-colors:outline-2 forced-colors:outline-[Highlight]",
        needs ? "text-ink" : "text-ink-2",
        cellSize,
      )}
    >
      <span
        aria-hidden
        className="hidden min-w-2.5 text-xs text-ink-3 tabular-nums wide:inline min-[1200px]:hidden"
      >
        {number}
      </span>
      <ThreadShape shape={shape} />
      <span className="sr-only">
        {[spellOut(title), stateWords(standing), ...(worktree ? [spellOut(worktree)] : [])].join(", ")}
      </span>
      <span aria-hidden className="hidden min-w-0 flex-1 truncate min-[1200px]:inline">
        <ForeignText text={title} className="[overflow-wrap:normal]!" />
      </span>
      <span
        aria-hidden
        className="text-xs leading-[13px] font-semibold text-accent tabular-nums wide:ml-auto wide:text-sm"
      >
        {waits > 0 && waits}
      </span>
      {thread.plan && (
        <span
          data-plan
          className="absolute bottom-0 left-0 h-0.5 bg-line-strong forced-color-adjust-none forced-colors:bg-[CanvasText]"
          style={{ width: `${Math.round((thread.plan.done / thread.plan.steps) * 100)}%` }}
        />
      )}
    </a>
  );
}

/** Those that no cell is left for, and whether one of them needs the person. */
function More({ others }: { others: readonly Standing[] }) {
  const needs = others.filter(({ section }) => section === "needs");
  const name = [strings.more(others.length), ...(needs.length > 0 ? [strings.needs(needs.length)] : [])];
  return (
    <a
      href="#/threads"
      title={name.join(", ")}
      className={cx(
        "flex h-[43px] flex-col items-center justify-center text-xs text-ink-2 tabular-nums hover:bg-hover wide:h-[31px] wide:flex-row wide:gap-1",
        "-outline-offset-2!",
      )}
    >
      {needs.length > 0 && <ThreadShape shape="waits" />}
      <span aria-hidden>{strings.moreShort(others.length)}</span>
      <span className="sr-only">{name.join(", ")}</span>
    </a>
  );
}
