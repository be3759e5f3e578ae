/** What stands under a thread's title: what it does now, with the time it has taken so far, and how far its plan is. */
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { cx } from "../../ui/class-names.ts";
import { Elapsed } from "../../ui/elapsed.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { doingOf } from "./doing.ts";
import type { Standing } from "./standing.ts";
import { strings } from "./strings.ts";

export function DoingLine({ standing, id }: { standing: Standing; id: string }) {
  const { words, about, isCode, more = 0, since } = doingOf(standing);
  return (
    <span id={id} className="flex w-full min-w-0 items-baseline gap-1 text-sm text-ink-3">
      <span className="min-w-0 truncate">
        {words}
        {about && (
          <>
            {" "}
            <span className={cx(isCode && "code-text whitespace-nowrap! text-ink-2")}>
              <ForeignText text={about} className="[overflow-wrap:normal]!" />
            </span>
          </>
        )}
      </span>
      {more > 0 && <span className="shrink-0">{strings.andMore(more)}</span>}
      {since !== undefined && (
        <span className="shrink-0 tabular-nums">
          · <Elapsed since={since} />
        </span>
      )}
    </span>
  );
}

/** More steps than this would be too small to tell apart; the words beside them say how many there are. */
const mostDrawn = 12;

export function PlanBar({ plan, className }: { plan: ThreadSummary["plan"]; className?: string }) {
  if (!plan) return null;
  const { done, steps } = plan;
  const drawn = Math.min(steps, mostDrawn);
  const full = Math.floor((done / steps) * drawn);
  return (
    <span className={cx("flex items-center gap-2 whitespace-nowrap tabular-nums", className)}>
      <span aria-hidden className="flex flex-1 items-center gap-0.5">
        {Array.from({ length: drawn }, (_, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its place
            key={at}
            className={cx(
              "h-1.5 min-w-1 flex-1 rounded-[1px] border border-line-strong forced-color-adjust-none forced-colors:border-[CanvasText]",
              at < full && "bg-line-strong forced-colors:bg-[CanvasText]",
              at === full &&
                "bg-linear-to-r from-line-strong from-50% to-transparent to-50% forced-colors:from-[CanvasText]",
            )}
          />
        ))}
      </span>
      <span className="shrink-0">{strings.plan(done, steps)}</span>
    </span>
  );
}
