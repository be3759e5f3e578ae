/** A thread's state as a shape and a word; the colour only helps. */
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleStop,
  Hourglass,
  type LucideIcon,
  Zap,
} from "lucide-react";
import type { ThreadStatus } from "../../../shared/contract/threads.ts";
import { cx } from "../../ui/class-names.ts";
import { strings } from "./strings.ts";

const looks: Record<ThreadStatus, { icon: LucideIcon; tone: string }> = {
  new: { icon: CircleDashed, tone: "text-ink-3" },
  queued: { icon: Hourglass, tone: "text-ink-3" },
  running: { icon: CircleDot, tone: "text-info" },
  waiting: { icon: CirclePause, tone: "text-accent" },
  interrupted: { icon: Zap, tone: "text-warn" },
  stopped: { icon: CircleStop, tone: "text-ink-3" },
  failed: { icon: CircleAlert, tone: "text-bad" },
  done: { icon: CircleCheck, tone: "text-ok" },
};

export function StatusMark({ status }: { status: ThreadStatus }) {
  const { icon: Icon, tone } = looks[status];
  return (
    <span className={cx("flex shrink-0 items-center gap-1", tone)}>
      <Icon aria-hidden className="size-3" />
      {strings.statuses[status]}
    </span>
  );
}
