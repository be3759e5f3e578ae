/** Draws one transcript item by its kind, reading in a row folded into one; re-drawn only when that item changes. */
import { ChevronRight, FileText, Info, RotateCw, TriangleAlert } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import type { ToolCallItem, TranscriptItem } from "../../../../shared/contract/transcript.ts";
import type { ToolOfKind } from "../../../../shared/tools/tools.ts";
import { client } from "../../../base/client.ts";
import { useAbility, useThreads } from "../../../base/stores/threads-store.ts";
import { describeError, formatBytes } from "../../../base/words.ts";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/class-names.ts";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { LeftOut } from "../../../ui/left-out.tsx";
import { resumeThread } from "../../threads/thread-commands.ts";
import { useConversation, useItem, useTranscript } from "../conversation-context.ts";
import { TurnCost } from "../header/cost-words.tsx";
import { PlanList } from "../pinned-plan.tsx";
import { strings } from "../strings.ts";
import { ToolCard } from "../tool-card/tool-card.tsx";
import { subjectOf } from "../tool-card/tool-subject.ts";
import { LiveMessage } from "./live-message.tsx";
import { AgentMessage, UserMessage } from "./message-row.tsx";
import { useOpen } from "./open-state.ts";
import { readingRunOf, runName } from "./reading-runs.ts";
import { ReceiptList } from "./receipt-list.tsx";
import { TakenBackLine, TakenBackMark } from "./taken-back-line.tsx";
import { type Part, shownPart } from "./transcript-store.ts";

/** A message that is being written has no item yet; it becomes one in place. */
export const TranscriptRow = memo(function TranscriptRow({ id }: { id: string }) {
  const item = useItem(id);
  const isAlone = useTranscript((state) => isTakenAlone(shownPart(state), id));
  if (!item) return <LiveMessage id={id} />;
  const row = item.leftOut === undefined ? <Item item={item} /> : <LargeItem item={item} />;
  return (
    <>
      {isAlone && <TakenBackMark />}
      {item.kind === "toolCall" ? <InReadingRun id={id}>{row}</InReadingRun> : row}
    </>
  );
});

/** Whether it was taken back and the line that folds it away is not in what was read. */
function isTakenAlone({ items, order }: Part, id: string): boolean {
  const line = items.get(id)?.takenBack;
  return line !== undefined && !items.has(line) && order.includes(id);
}

/** Head and tail of something too large for a page; the whole of it stays until the item changes. */
function LargeItem({ item }: { item: TranscriptItem }) {
  const { threadId } = useConversation();
  const [whole, setWhole] = useState<{ of: TranscriptItem; item: TranscriptItem }>();
  if (whole?.of === item) return <Item item={whole.item} />;
  const show = async () => {
    const answer = await client().call("threads.item", { threadId, itemId: item.id });
    setWhole({ of: item, item: answer });
  };
  return (
    <>
      <Item item={item} />
      <LeftOut
        text={strings.leftOut(formatBytes(item.leftOut ?? 0))}
        action={strings.showAll}
        onShow={show}
        describe={describeError}
      />
    </>
  );
}

function Item({ item }: { item: TranscriptItem }) {
  switch (item.kind) {
    case "userMessage":
      return <UserMessage item={item} />;
    case "agentMessage":
      return <AgentMessage item={item} />;
    case "toolCall":
      return <ToolCard item={item} />;
    case "plan":
      return <Plan item={item} />;
    case "turnEnd":
      return <TurnEnd item={item} />;
    case "takenBack":
      return <TakenBackLine item={item} />;
    case "notice":
      return <Notice item={item} />;
  }
}

function Plan({ item }: { item: Extract<TranscriptItem, { kind: "plan" }> }) {
  return (
    <article aria-label={strings.plan} className="rounded-lg border border-line bg-surface px-3 py-2">
      <h2 className="mb-1 text-sm font-medium text-ink-2">{strings.plan}</h2>
      <PlanList todos={item.todos} />
    </article>
  );
}

function Notice({ item }: { item: Extract<TranscriptItem, { kind: "notice" }> }) {
  const Icon = item.level === "info" ? Info : TriangleAlert;
  const tone = { info: "text-ink-2", warning: "text-warn", error: "text-bad" }[item.level];
  return (
    <div className={cx("flex flex-col gap-1 text-sm", tone)}>
      <p className="flex items-baseline gap-1.5">
        <Icon aria-hidden className="size-3.5 shrink-0 translate-y-0.5" />
        <ForeignText text={item.text} lines />
      </p>
      {item.items && item.items.length > 0 && <ReceiptList id={item.id} itemIds={item.items} />}
    </div>
  );
}

type TurnEndItem = Extract<TranscriptItem, { kind: "turnEnd" }>;

/** How a turn ended; when it did not end well, what happened and how to go on. */
function TurnEnd({ item }: { item: TurnEndItem }) {
  const { threadId } = useConversation();
  const isLast = useTranscript((state) => state.order.at(-1) === item.id && state.liveIds.length === 0);
  const active = useThreads((state) =>
    ["running", "queued", "waiting"].includes(state.byId.get(threadId)?.status ?? ""),
  );
  const bad = item.outcome === "failed" || item.outcome === "interrupted";
  const canResume = useAbility(threadId, "resume");
  const canGoOn = canResume && isLast && !active && item.outcome !== "done" && item.retryable !== false;
  return (
    <div
      role={bad && isLast ? "alert" : undefined}
      className={cx(
        "flex flex-wrap items-center gap-2 border-t pt-2 text-sm",
        bad ? "border-bad text-bad" : "border-line text-ink-3",
      )}
    >
      <span className="font-medium">{strings.turn[item.outcome]}</span>
      <TurnCost turnId={item.turnId} />
      {item.problem && <ForeignText className="min-w-0" text={item.problem} lines />}
      {canGoOn && (
        <Button small onClick={() => void resumeThread(threadId)} className="[&_svg]:size-3">
          <RotateCw aria-hidden />
          {item.outcome === "failed" ? strings.retry : strings.resume}
        </Button>
      )}
    </div>
  );
}

/** Its first row carries the heading; the others are there once it is open. */
function InReadingRun({ id, children }: { id: string; children: ReactNode }) {
  const ids = useTranscript(useShallow((state) => readingRunOf(shownPart(state), id) ?? []));
  const [open, setOpen] = useOpen(ids.length > 0 ? runName(ids) : "", false);
  if (ids.length === 0) return children;
  if (ids[0] !== id) return open && children;
  return (
    <>
      <button
        type="button"
        data-find="skip"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={cx(
          "flex min-h-6 w-full items-baseline gap-1.5 rounded-md px-3 py-0.5 text-left text-sm text-ink-2 hover:bg-hover [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:translate-y-0.5",
          open && "mb-3",
        )}
      >
        <FileText aria-hidden className="text-ink-3" />
        <WhatWasRead ids={ids} />
        <ChevronRight aria-hidden className={cx("text-ink-3 transition-transform", open && "rotate-90")} />
      </button>
      {open && children}
    </>
  );
}

function WhatWasRead({ ids }: { ids: readonly string[] }) {
  const words = useTranscript((state) => {
    const calls = ids.map((id) => shownPart(state).items.get(id)).filter((item) => item?.kind === "toolCall");
    return strings.wasRead(count(calls, "file"), count(calls, "folder"), count(calls, "search"));
  });
  return <span className="min-w-0">{words}</span>;
}

/** What one call of each tool reads. */
const reads: Record<ToolOfKind<"read">, "file" | "folder" | "search"> = {
  read_file: "file",
  ls: "folder",
  glob: "search",
  grep: "search",
};

/** Of a file or folder that was read twice there is one; each search is one. */
function count(calls: readonly ToolCallItem[], what: "file" | "folder" | "search"): number {
  const own = calls.filter(({ tool }) => reads[tool as ToolOfKind<"read">] === what);
  return what === "search" ? own.length : new Set(own.map((call) => subjectOf(call) ?? call.id)).size;
}
