/** One thread in the list: title and state, what it does now, and how far it is. */
import { Ellipsis, Pin } from "lucide-react";
import { memo, type ReactNode, useId } from "react";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { useNow } from "../../base/clock.ts";
import { go, useOpenThreadId } from "../../base/navigation.ts";
import { formatAge, isDemo, lastSegment } from "../../base/words.ts";
import { IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Menu } from "../../ui/menu.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { DoingLine, PlanBar } from "./doing-line.tsx";
import { formatSpent } from "./spent-words.ts";
import { type Standing, sinceOf } from "./standing.ts";
import { strings } from "./strings.ts";
import { threadEntries } from "./thread-entries.tsx";
import { ThreadShape } from "./thread-shape.tsx";
import { worktreeWords } from "./worktree-words.ts";

export const ThreadRow = memo(function ThreadRow({ standing }: { standing: Standing }) {
  const { thread, waits } = standing;
  const now = useNow(30_000);
  const doing = useId();
  const facts = useId();
  return (
    <RowFrame standing={standing} className="my-0.5 rounded-md">
      <div className="grid w-full grid-cols-[14px_minmax(0,1fr)] gap-x-2 py-1.5 pr-8 pl-2">
        <ThreadShape shape={standing.shape} className="mt-0.5" />
        <span className="flex min-w-0 items-baseline gap-1.5">
          <ThreadTitle standing={standing} describedBy={`${doing} ${facts}`} />
          {waits > 0 && (
            <span aria-hidden className="ml-auto font-semibold text-accent tabular-nums">
              {waits}
            </span>
          )}
        </span>
        <span className="col-start-2 min-w-0">
          <DoingLine standing={standing} id={doing} />
          <span id={facts} className="flex items-center gap-2 text-xs text-ink-3">
            {thread.plan && <PlanBar plan={thread.plan} className="w-24 shrink-0" />}
            <Facts standing={standing} />
            <span className="ml-auto shrink-0 tabular-nums">{formatAge(sinceOf(standing), now)}</span>
          </span>
        </span>
      </div>
    </RowFrame>
  );
});

/** The cost, the model, the folder and its worktree, parted by dots. */
function Facts({ standing: { thread } }: { standing: Standing }) {
  const cost = formatSpent(thread.cost);
  const worktree = worktreeWords(thread);
  return (
    <span className="min-w-0 truncate">
      {cost && `${cost} · `}
      {!thread.actsItself && !isDemo(thread.model) && <ForeignText text={`${thread.model.model} · `} />}
      <ForeignText text={lastSegment(thread.workspace)} />
      {worktree && <ForeignText text={` · ${worktree}`} />}
    </span>
  );
}

/** Opens the thread from anywhere on its row: the button's name is the title and the state, its area the whole row. */
export function ThreadTitle({ standing, describedBy }: { standing: Standing; describedBy: string }) {
  const { thread } = standing;
  const open = useOpenThreadId() === thread.id;
  return (
    <>
      <button
        type="button"
        data-thread={thread.id}
        aria-current={open ? "page" : undefined}
        aria-describedby={describedBy}
        title={spellOut(thread.title)}
        onClick={() => go({ view: "thread", id: thread.id })}
        className={cx(
          "min-w-0 truncate text-left outline-none after:absolute after:inset-0 after:rounded-md",
          "focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ink",
          thread.unread && "font-semibold",
        )}
      >
        <ForeignText text={thread.title || strings.untitled} />
        <span className="sr-only">, {stateWords(standing)}</span>
      </button>
      {thread.pinned && (
        <Pin role="img" aria-label={strings.pinned} className="size-3 shrink-0 self-center text-ink-3" />
      )}
    </>
  );
}

type RowFrameProps = { standing: Standing; className?: string; children: ReactNode };

/** What rows of every width have in common: the ground that says which one is open, and the menu at the end. */
export function RowFrame({ standing: { thread }, className, children }: RowFrameProps) {
  const open = useOpenThreadId() === thread.id;
  return (
    <div
      className={cx(
        "group relative flex",
        open
          ? "bg-hover forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]"
          : "hover:bg-hover",
        className,
      )}
    >
      {children}
      <ThreadMenu thread={thread} />
    </div>
  );
}

/** "6 wait for you, plan: 4 of 6"; the same in the list and in the strip. */
export function stateWords({ thread, shape, waits }: Standing): string {
  const parts = [
    waits > 0 ? strings.waitingSaid(waits) : strings.shapes[shape],
    ...(thread.unread && shape !== "finished" ? [strings.unread] : []),
    ...(thread.plan ? [strings.planSaid(thread.plan.done, thread.plan.steps)] : []),
  ];
  return parts.join(", ");
}

/** The commands of one thread, behind the dots at the end of its row. */
function ThreadMenu({ thread }: { thread: ThreadSummary }) {
  return (
    <Menu
      trigger={
        <IconButton
          label={strings.more(spellOut(thread.title || strings.untitled))}
          className="absolute z-10 top-1/2 right-1 w-7! -translate-y-1/2 bg-hover! opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[popup-open]:opacity-100"
        >
          <Ellipsis />
        </IconButton>
      }
      entries={() => threadEntries(thread)}
    />
  );
}
