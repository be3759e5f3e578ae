/** Draws one transcript item by its kind; re-drawn only when that item changes. */
import { Info, TriangleAlert } from "lucide-react";
import { memo, useState } from "react";
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import { client } from "../../../base/client.ts";
import { describeError, formatBytes } from "../../../base/words.ts";
import { cx } from "../../../ui/class-names.ts";
import { LeftOut } from "../../../ui/left-out.tsx";
import { useConversation, useItem, useTranscript } from "../conversation-context.ts";
import { PlanList } from "../plan-list.tsx";
import { strings } from "../strings.ts";
import { ToolCard } from "../tool-card/tool-card.tsx";
import { LiveMessage } from "./live-message.tsx";
import { AgentMessage, UserMessage } from "./message-row.tsx";
import { InReadingRun } from "./reading-run.tsx";
import { ReceiptList } from "./receipt-list.tsx";
import { TakenBackLine, TakenBackMark } from "./taken-back-line.tsx";
import { type Part, shownPart } from "./transcript-store.ts";
import { TurnEnd } from "./turn-end.tsx";

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
        <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">{item.text}</span>
      </p>
      {item.items && item.items.length > 0 && <ReceiptList id={item.id} itemIds={item.items} />}
    </div>
  );
}
