/** What a receipt is about, read from the record of decisions when it is opened; each action leads to its tool call. */
import { useState } from "react";
import type { LedgerEntry } from "../../../../shared/contract/ledger.ts";
import { aboutCall } from "../../../../shared/tools/about-call.ts";
import { client } from "../../../base/client.ts";
import { openHit } from "../../../base/stores/opened-hit.ts";
import { useReading } from "../../../base/use-reading.ts";
import { formatDuration } from "../../../base/words.ts";
import { Button } from "../../../ui/button.tsx";
import { ExactText } from "../../../ui/exact-text.tsx";
import { ProblemText } from "../../../ui/problem-text.tsx";
import { useConversation, useItem } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { subjectOf, verbOf } from "../tool-card/tool-subject.ts";
import { useOpen } from "./open-state.ts";

const shownAtOnce = 50;

export function ReceiptList({ id, itemIds }: { id: string; itemIds: readonly string[] }) {
  const [open, setOpen] = useOpen(`${id}:receipt`, false);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="ml-5">
      <summary className="w-fit cursor-pointer">{strings.receipt(itemIds.length)}</summary>
      {open && <Actions itemIds={itemIds} />}
    </details>
  );
}

function Actions({ itemIds }: { itemIds: readonly string[] }) {
  const [count, setCount] = useState(shownAtOnce);
  const shown = itemIds.slice(0, count);
  const { entries, problem } = useEntries(shown);
  const more = itemIds.length - shown.length;
  if (problem) return <ProblemText lead={strings.receiptFailed} problem={problem} />;
  if (!entries) return <p role="status">{strings.receiptLoading}</p>;
  return (
    <>
      <ul
        aria-label={strings.receipt(itemIds.length)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls and must be reachable by keyboard
        tabIndex={0}
        className="mt-1 flex max-h-64 flex-col overflow-y-auto rounded-md border border-line bg-surface py-1"
      >
        {shown.map((itemId) => {
          const entry = entries.get(itemId);
          return <li key={itemId}>{entry ? <Action entry={entry} /> : <WithoutEntry itemId={itemId} />}</li>;
        })}
      </ul>
      {more > 0 && (
        <Button small className="mt-1" onClick={() => setCount(count + shownAtOnce)}>
          {strings.receiptMore(Math.min(more, shownAtOnce))}
        </Button>
      )}
    </>
  );
}

function Action({ entry }: { entry: LedgerEntry }) {
  const { receipt, itemId, position, threadId } = entry;
  const what = <ExactText text={aboutCall(entry.tool, entry.finalArgs ?? entry.originalArgs)} />;
  return (
    <div className="flex items-baseline gap-3 rounded-md px-1.5 py-0.5 hover:bg-hover">
      {itemId !== undefined && position !== undefined ? (
        <button
          type="button"
          className="min-w-0 flex-1 text-left text-ink underline decoration-line-strong decoration-dotted underline-offset-2"
          onClick={() => openHit({ threadId, itemId, position, snippet: "" })}
        >
          {what}
        </button>
      ) : (
        <span className="min-w-0 flex-1">{what}</span>
      )}
      {receipt && (
        <span className={receipt.exitCode ? "text-bad" : undefined}>
          {receipt.exitCode != null && `${strings.exit(receipt.exitCode)} · `}
          {formatDuration(receipt.durationMs)}
        </span>
      )}
    </div>
  );
}

/** It was let pass, but ended before it began; or this thread is a copy, and the record is the first one's. */
function WithoutEntry({ itemId }: { itemId: string }) {
  const item = useItem(itemId);
  const call = item?.kind === "toolCall" ? item : undefined;
  return (
    <p className="flex gap-3 px-1.5 py-0.5">
      {call ? (
        <ExactText text={subjectOf(call) ?? verbOf(call)} className="min-w-0 flex-1" />
      ) : (
        <span className="flex-1">{strings.receiptUnknownCall}</span>
      )}
      <span>{strings.receiptNoEntry}</span>
    </p>
  );
}

type Entries = ReadonlyMap<string, LedgerEntry>;

/** The newest entry of each call: one that was dropped unstarted and run anew has two. */
function useEntries(itemIds: readonly string[]): { entries?: Entries; problem?: string } {
  const { threadId } = useConversation();
  const key = JSON.stringify([threadId, itemIds]);
  const { value, problem } = useReading(key, () => readEntries(threadId, itemIds));
  return { entries: value, problem };
}

const readAtOnce = 200;

async function readEntries(threadId: LedgerEntry["threadId"], itemIds: readonly string[]): Promise<Entries> {
  const found = new Map<string, LedgerEntry>();
  for (let from = 0; from < itemIds.length; from += readAtOnce) {
    const part = itemIds.slice(from, from + readAtOnce);
    const { entries } = await client().call("approvals.ledgerOfCalls", { threadId, itemIds: part });
    for (const entry of entries) if (entry.itemId) found.set(entry.itemId, entry);
  }
  return found;
}
