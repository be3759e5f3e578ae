/** The place of the current card, beside the rows or in its thread: what it says scrolls, and below it the decisions never move. */
import { type ReactNode, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { useToastsAbove } from "../../ui/toast.tsx";
import { Heard } from "../seen/read-list.tsx";
import { useProgress } from "../seen/read-progress.ts";
import { strings } from "../seen/strings.ts";
import { useIsRead } from "../seen/use-read-gauge.ts";
import { KeyLegend, type KeyWord } from "./key-legend.tsx";
import { QueueNote } from "./queue-note.tsx";
import { useQueue } from "./queue-store.ts";
import { readUnread } from "./read-on.ts";

/** `keys`: those of the decisions, told where these have no room for them. */
type CardPaneProps = { children: ReactNode; decisions: ReactNode; keys: readonly KeyWord[] };

export function CardPane({ inThread = false, ...parts }: CardPaneProps & { inThread?: boolean }) {
  return inThread ? <Parts {...parts} /> : <PaneBesideRows {...parts} />;
}

function PaneBesideRows({ children, ...props }: CardPaneProps) {
  const foot = useRef<HTMLDivElement>(null);
  useToastsAbove(foot);
  return (
    <Parts
      {...props}
      foot={foot}
      inset="wide:px-6 min-[1200px]:px-8"
      room={<div aria-hidden className="h-[calc(var(--toast-space,-16px)+16px)] shrink-0" />}
    >
      {children}
    </Parts>
  );
}

type PartsProps = CardPaneProps & { foot?: React.Ref<HTMLDivElement>; inset?: string; room?: ReactNode };

/** @param room messages stand here while there are any, so that none lies over a word and the decisions stay where they are. */
function Parts({ children, decisions, keys, foot, inset, room }: PartsProps) {
  return (
    <>
      <ScrollBox
        data-scroll
        data-card-scroll
        className={cx("min-h-0 flex-1 px-4 pt-3 outline-offset-[-2px]", inset && "min-[1200px]:pt-5", inset)}
      >
        <div className={cx("flex flex-col gap-3", inset ? "pb-4" : "pb-3")}>{children}</div>
      </ScrollBox>
      {room}
      <div
        ref={foot}
        className={cx("shrink-0 border-t border-line px-4 pt-3", inset && "min-[1200px]:pt-4", inset)}
      >
        {decisions}
        <ReadLine keys={keys} />
      </div>
    </>
  );
}

/** The person's line below the decisions: it fills as the card was really on the screen, and says what a press did or how to read on. */
function ReadLine({ keys }: { keys: readonly KeyWord[] }) {
  const key = useQueue(({ currentId, order }) =>
    currentId !== undefined && order.includes(currentId) ? currentId : undefined,
  );
  const progress = useProgress(({ byKey }) => (key === undefined ? undefined : byKey.get(key)));
  const read = useIsRead(key ?? "", progress?.digest ?? "");
  const percent = progress?.percent ?? 0;
  // Offered once there is something left to read, and then until it is read: it must not take the focus with it meanwhile.
  const [offeredFor, setOfferedFor] = useState<string>();
  if (progress?.settled && !read && offeredFor !== key) setOfferedFor(key);
  return (
    <>
      <Gauge percent={percent} shown={progress !== undefined} />
      <div className="flex h-11 items-start gap-2 overflow-hidden pt-1 min-[600px]:h-8">
        <QueueNote className="min-w-0 flex-1">
          <KeyLegend keys={keys} />
        </QueueNote>
        {progress && !read && offeredFor === key && (
          <>
            <span className="py-0.5 text-sm whitespace-nowrap text-ink-2 tabular-nums">
              {strings.percentRead(percent)}
            </span>
            <Button small onClick={readUnread}>
              {strings.readOn}
              <span aria-hidden className="-mr-1 inline-flex @max-[630px]:hidden">
                <Kbd keys="Space" />
              </span>
            </Button>
          </>
        )}
      </div>
      <Heard />
    </>
  );
}

/** Nothing has to be read of a thread that came to a halt. */
function Gauge({ percent, shown }: { percent: number; shown: boolean }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element draws itself, and its line cannot be drawn as this one
    <div
      role="meter"
      aria-label={strings.gauge}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={strings.percentRead(percent)}
      className={cx("mt-2 h-0.5 rounded-full bg-line", !shown && "invisible")}
    >
      <div
        className="h-full rounded-full bg-accent forced-colors:bg-[CanvasText]"
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
