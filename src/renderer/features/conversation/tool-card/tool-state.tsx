/** The right end of a tool card's head: how far the call is, and how it ended. */
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  MessageSquareReply,
} from "lucide-react";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { kindOf } from "../../../../shared/tools/tools.ts";
import { formatDuration } from "../../../base/words.ts";
import { cx } from "../../../ui/class-names.ts";
import { strings } from "../strings.ts";
import { hasFailed } from "./tool-subject.ts";

const shownFromMs = 100;

export function ToolState({ item }: { item: ToolCallItem }) {
  const { icon: Icon, tone } = lookOf(item);
  const spins = isWorking(item) && "animate-spin motion-reduce:animate-none";
  return (
    <span className={cx("inline-flex shrink-0 items-baseline gap-1 text-sm whitespace-nowrap", tone)}>
      <Icon aria-hidden className={cx("size-3.5 translate-y-0.5", spins)} />
      {wordsOf(item).join(" · ")}
    </span>
  );
}

/** A sub-agent is at work from the moment it was asked for; it has no execution of its own. */
function isWorking(item: ToolCallItem): boolean {
  return item.state === "running" || (kindOf(item.tool) === "delegate" && item.state === "requested");
}

function wordsOf(item: ToolCallItem): string[] {
  const failed = hasFailed(item);
  const outcome = failed && item.outcome === "ok" ? "failed" : item.outcome;
  const { receipt } = item;
  const words = [
    outcome
      ? strings.outcomes[outcome]
      : isWorking(item)
        ? strings.states.running
        : strings.states[item.state],
  ];
  if (typeof receipt?.exitCode === "number" && (failed || kindOf(item.tool) === "command"))
    words.push(strings.exit(receipt.exitCode));
  if (receipt?.added !== undefined) words.push(strings.lines(receipt.added, receipt.removed ?? 0));
  if (receipt && receipt.durationMs >= shownFromMs) words.push(formatDuration(receipt.durationMs));
  return words;
}

function lookOf(item: ToolCallItem): { icon: LucideIcon; tone: string } {
  if (hasFailed(item)) return { icon: CircleX, tone: "text-bad" };
  if (item.state === "waiting") return { icon: CirclePause, tone: "text-accent" };
  if (isWorking(item)) return { icon: LoaderCircle, tone: "text-info" };
  if (item.state !== "finished") return { icon: CircleDashed, tone: "text-ink-3" };
  if (item.outcome === "rejected" || item.outcome === "cancelled") return { icon: Ban, tone: "text-ink-2" };
  if (item.outcome === "answered") return { icon: MessageSquareReply, tone: "text-ink-2" };
  return { icon: CircleCheck, tone: "text-ok" };
}
