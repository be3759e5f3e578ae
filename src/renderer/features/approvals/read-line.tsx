/** The person's line below the decisions: it fills as the card was really on the screen, and says what a press did or how to read on. */
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { Heard } from "../seen/heard.tsx";
import { useProgress } from "../seen/read-progress.ts";
import { strings } from "../seen/strings.ts";
import { useIsRead } from "../seen/use-read-gauge.ts";
import { QueueNote } from "./queue-note.tsx";
import { useQueue } from "./queue-store.ts";
import { readUnread } from "./read-on.ts";

export function ReadLine() {
  const key = useQueue(({ currentId, order }) =>
    currentId !== undefined && order.includes(currentId) ? currentId : undefined,
  );
  const progress = useProgress(({ byKey }) => (key === undefined ? undefined : byKey.get(key)));
  const read = useIsRead(key ?? "", progress?.digest ?? "");
  const percent = progress?.percent ?? 0;
  return (
    <>
      <Gauge percent={percent} shown={progress !== undefined} />
      <div className="flex h-11 items-start gap-2 overflow-hidden pt-1 min-[600px]:h-7">
        <QueueNote className="min-w-0 flex-1" />
        {progress?.settled && !read && (
          <>
            <span className="py-0.5 text-sm whitespace-nowrap text-ink-2 tabular-nums">
              {strings.percentRead(percent)}
            </span>
            <Button small onClick={readUnread}>
              {strings.readOn}
              <span aria-hidden className="-mr-1 inline-flex @max-[520px]:hidden">
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
