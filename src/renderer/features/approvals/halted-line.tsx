/** A thread that failed or was interrupted, in one line among the requests. */
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { useNow } from "../../base/clock.ts";
import { formatAge } from "../../base/words.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { GridCell } from "../../ui/virtual-grid.tsx";
import { ThreadShape } from "../threads/thread-shape.tsx";
import type { HaltedRow } from "./halted.ts";
import { ageCell, LineFrame, objectCell, shapeCell, threadCell, verbCell } from "./line-frame.tsx";
import { strings } from "./strings.ts";

const words = strings.halted;

export function HaltedLine({ row: { key, thread }, index }: { row: HaltedRow; index: number }) {
  const now = useNow(10_000);
  const age = formatAge(thread.updatedAt, now);
  const { verb, said } = sayings(thread);
  return (
    <LineFrame
      rowKey={key}
      index={index}
      label={[said, thread.title, problemOf(thread), age].map(spellOut).join(", ")}
    >
      <GridCell className={shapeCell}>
        <ThreadShape shape={thread.status === "failed" ? "failed" : "interrupted"} />
      </GridCell>
      <GridCell className={verbCell}>{verb}</GridCell>
      <GridCell className={objectCell}>
        <ForeignText text={problemOf(thread)} className="truncate" />
      </GridCell>
      <GridCell className={threadCell}>
        <ForeignText text={thread.title} className="truncate" />
      </GridCell>
      <GridCell className={ageCell}>{age}</GridCell>
    </LineFrame>
  );
}

function sayings({ status }: ThreadSummary) {
  return status === "failed"
    ? { verb: words.retry, said: words.failed }
    : { verb: words.resume, said: words.interrupted };
}

function problemOf({ problem, title }: ThreadSummary): string {
  return problem ?? title;
}
