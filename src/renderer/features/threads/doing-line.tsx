/** The line under a thread's title: what it does now, with the time it has taken so far. */
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
