/** A thread that failed or was interrupted: what happened, what it was asked last, and the ways to go on. */
import { Archive, ArrowRight, PencilLine, RotateCw } from "lucide-react";
import { useRef, useState } from "react";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { TranscriptItem } from "../../../shared/contract/transcript.ts";
import { messageIdSchema, type ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useNow } from "../../base/clock.ts";
import { go } from "../../base/navigation.ts";
import { useReading } from "../../base/use-reading.ts";
import { formatAge, lastSegment } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { forkThread, resumeThread, setFlags } from "../threads/thread-commands.ts";
import { ThreadShape } from "../threads/thread-shape.tsx";
import { CardPane } from "./card-pane.tsx";
import type { HaltedRow } from "./halted.ts";
import { KeyHint, type KeyWord } from "./key-legend.tsx";
import { bounded } from "./merge-units.ts";
import { PlaceInQueue, usePlaceInQueue } from "./place-in-queue.tsx";
import { makeCurrent } from "./queue-store.ts";
import { quoted } from "./read-text.tsx";
import { strings } from "./strings.ts";
import { useTakeFocus } from "./use-take-focus.ts";

const words = strings.halted;
/** Enough to know again what one wrote; the thread has all of it. */
const longestQuote = 1_200;

export function HaltedCard({ row: { key, thread } }: { row: HaltedRow }) {
  const element = useRef<HTMLElement>(null);
  const turn = useLastTurn(thread.id);
  const place = usePlaceInQueue();
  const now = useNow(10_000);
  useTakeFocus(key, element);
  const { goOn, edit, thread: openIt } = strings.legend;
  const keys: KeyWord[] = [
    ...(thread.can.resume && turn?.canRetry !== false ? [["y", goOn] as const] : []),
    ...(thread.can.fork ? [["c", edit] as const] : []),
    ["o", openIt],
  ];
  const failed = thread.status === "failed";
  const said = failed ? words.failed : words.interrupted;
  return (
    <section
      ref={element}
      data-row={key}
      aria-label={`${said}: ${spellOut(thread.title)}`}
      aria-current="true"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what has the focus is what the keys act on
      tabIndex={0}
      onFocus={() => makeCurrent(key)}
      className="@container flex min-w-0 flex-1 flex-col bg-surface -outline-offset-2"
    >
      <CardPane decisions={<WaysOn thread={thread} turn={turn} />} keys={keys}>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm text-ink-3">
          <h2
            aria-label={[said, place].filter(Boolean).join(", ")}
            className={`flex items-center gap-1.5 font-medium ${failed ? "text-bad" : "text-warn"}`}
          >
            <ThreadShape shape={failed ? "failed" : "interrupted"} className="size-3.5!" />
            {said}
          </h2>
          <ForeignText text={lastSegment(thread.workspace)} />
          <time dateTime={new Date(thread.updatedAt).toISOString()}>{formatAge(thread.updatedAt, now)}</time>
          <PlaceInQueue />
        </div>
        <p className="text-lg font-semibold">
          <ForeignText text={thread.title || words.untitled} />
        </p>
        {thread.problem && (
          <p className="max-w-[72ch]">
            <ForeignText text={thread.problem} lines />
          </p>
        )}
        {turn?.asked && (
          <div>
            <p className="text-sm text-ink-3">{words.youAsked}</p>
            <blockquote className={`${quoted} max-w-[72ch] whitespace-pre-wrap text-ink-2`}>
              <ForeignText text={bounded(turn.asked.text, longestQuote)} lines />
            </blockquote>
          </div>
        )}
        {turn && !turn.canRetry && <p className="text-sm text-ink-2">{words.noRetry}</p>}
      </CardPane>
    </section>
  );
}

type WaysOnProps = { thread: ThreadSummary; turn: ReturnType<typeof useLastTurn> };

/** Each of them is pressed by its key too; none of them lets anything run that would have asked. */
function WaysOn({ thread, turn }: WaysOnProps) {
  const [busy, setBusy] = useState(false);
  const during = (act: () => Promise<unknown>) => () => {
    setBusy(true);
    void act().finally(() => setBusy(false));
  };
  const { asked } = turn ?? {};
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are commands
    <div
      role="group"
      aria-label={words.ways}
      data-decisions
      className="flex flex-wrap items-center gap-1.5 [&_svg]:size-3.5"
    >
      {thread.can.resume && turn?.canRetry !== false && (
        <Button
          look="primary"
          data-way="y"
          disabled={busy || !turn}
          onClick={during(() => resumeThread(thread.id))}
        >
          <RotateCw aria-hidden />
          {thread.status === "failed" ? words.retry : words.resume} <KeyHint keys="y" shown />
        </Button>
      )}
      {thread.can.fork && (
        <Button
          data-way="c"
          disabled={busy || !asked}
          title={words.editTitle}
          onClick={
            asked &&
            during(() => forkThread(thread.id, messageIdSchema.parse(asked.id), { draft: asked.text }))
          }
        >
          <PencilLine aria-hidden />
          {words.edit} <KeyHint keys="c" shown />
        </Button>
      )}
      <Button onClick={() => go({ view: "thread", id: thread.id })}>
        <ArrowRight aria-hidden />
        {strings.openThread} <KeyHint keys="o" shown />
      </Button>
      <span className="flex-1" />
      <Button
        look="quiet"
        disabled={busy}
        onClick={during(() => setFlags({ threadId: thread.id, archived: true }))}
      >
        <Archive aria-hidden />
        {words.archive}
      </Button>
    </div>
  );
}

type Message = Extract<TranscriptItem, { kind: "userMessage" }>;
type LastTurn = { asked?: Message; canRetry: boolean };

/** As many items as one question to the host may bring. */
const page = 200;

/** @returns nothing until the host has answered. Where it cannot, the turn may be tried again. */
function useLastTurn(threadId: ThreadId): LastTurn | undefined {
  const { value, problem } = useReading(threadId, () => readLastTurn(threadId));
  return problem === undefined ? value : { canRetry: true };
}

async function readLastTurn(threadId: ThreadId): Promise<LastTurn> {
  let before: number | undefined;
  let canRetry: boolean | undefined;
  for (;;) {
    const { items, hasMore } = await client().call("threads.page", {
      threadId,
      limit: page,
      ...(before !== undefined && { before }),
    });
    const end = items.findLast((item) => item.kind === "turnEnd");
    canRetry ??= end && end.retryable !== false;
    const asked = items.findLast(
      (item): item is Message => item.kind === "userMessage" && !item.queued && !item.cancelled,
    );
    const [first] = items;
    if (asked || !hasMore || !first) return { asked, canRetry: canRetry ?? true };
    before = first.position;
  }
}
