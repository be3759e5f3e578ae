/** A thread's state as a shape and a word; the colour only helps. */
import type { ThreadStatus } from "../../../shared/contract/threads.ts";
import type { StandingShape } from "./standing.ts";
import { strings } from "./strings.ts";
import { ThreadShape } from "./thread-shape.tsx";

const shapes: Record<ThreadStatus, StandingShape> = {
  new: "idle",
  queued: "works",
  running: "works",
  waiting: "waits",
  interrupted: "interrupted",
  stopped: "idle",
  failed: "failed",
  done: "finished",
};

export function StatusMark({ status }: { status: ThreadStatus }) {
  return (
    <span className="flex shrink-0 items-center gap-1 text-ink-2">
      <ThreadShape shape={shapes[status]} className="size-3" />
      {strings.statuses[status]}
    </span>
  );
}
