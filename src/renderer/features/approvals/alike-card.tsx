/** Several commands of one form, every one of them listed, to be decided by one decision; opened up on demand. */
import { Check, ChevronDown, ChevronRight, X } from "lucide-react";
import { useRef } from "react";
import type { Approval, Said } from "../../../shared/contract/approvals.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { revealInPieces } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";
import { AgentWords } from "./agent-words.tsx";
import type { QueueRow } from "./arrange-queue.ts";
import { askBulk } from "./ask-bulk.ts";
import { GroupHeader } from "./card-header.tsx";
import { CardPane } from "./card-pane.tsx";
import { KeyHint } from "./key-legend.tsx";
import { makeCurrent, toggled, useQueue } from "./queue-store.ts";
import { sharedEnds } from "./shared-ends.ts";
import { strings } from "./strings.ts";
import { useTakeFocus } from "./use-take-focus.ts";

const { legend } = strings;
/** More are listed in the question before the decision, all of them. */
const mostListed = 20;

export function AlikeCard({ row }: { row: Extract<QueueRow, { kind: "alike" }> }) {
  const { approvals, open, key } = row;
  const element = useRef<HTMLElement>(null);
  useTakeFocus(key, element);
  const count = approvals.length;
  const ids = approvals.map((one) => one.id);
  const more = count - mostListed;
  const said = saidBeforeAll(approvals);
  return (
    <section
      ref={element}
      data-row={key}
      aria-label={strings.alike(count)}
      aria-current="true"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what has the focus is what the keys act on
      tabIndex={0}
      onFocus={() => makeCurrent(key)}
      className="@container flex min-w-0 flex-1 flex-col bg-surface -outline-offset-2"
    >
      <CardPane
        keys={[
          ["y", legend.approve],
          ["n", legend.reject],
          ["e", legend.open],
        ]}
        decisions={
          <div data-decisions className="flex flex-wrap gap-1.5 [&_svg]:size-3.5">
            <Button look="primary" onClick={() => askBulk("approve", ids)}>
              <Check aria-hidden />
              {strings.approveAlike(count)} <KeyHint keys="y" shown />
            </Button>
            <Button onClick={() => askBulk("reject", ids)}>
              <X aria-hidden />
              {strings.rejectAlike(count)} <KeyHint keys="n" shown />
            </Button>
            <Button
              look="quiet"
              aria-expanded={open}
              onClick={() => useQueue.setState((state) => ({ openShapes: toggled(state.openShapes, key) }))}
            >
              {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
              {open ? strings.fold : strings.openUp} <KeyHint keys="e" shown />
            </Button>
          </div>
        }
      >
        <GroupHeader approvals={approvals} />
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone="neutral">{count} ×</Badge>
          <ExactText text={row.shape} oneLine className="text-lg font-semibold" />
        </div>
        {said && <AgentWords said={said} />}
        <AlikeLines texts={approvals.slice(0, more > 0 ? mostListed : count).map(aboutApproval)} />
        {more > 0 && <p className="text-sm text-ink-2">{strings.listedInQuestion(more)}</p>}
      </CardPane>
    </section>
  );
}

/** What the agent wrote before them, where it wrote the same before each. */
function saidBeforeAll([first, ...others]: readonly Approval[]): Said | undefined {
  const said = first?.said;
  return others.every((one) => one.said?.text === said?.text) ? said : undefined;
}

/** Every one with its number; what all begin and end with is quieter, so that the eye finds what differs. */
function AlikeLines({ texts }: { texts: readonly string[] }) {
  const [start, end] = sharedEnds(texts);
  return (
    <ol className="rounded-md border border-line bg-sunken py-2">
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal commands may stand here twice
        <li key={index} className="flex gap-2 pr-2.5 pl-1.5 leading-5">
          <span
            aria-hidden
            data-line={index + 1}
            className="line-number flex h-5 w-8 shrink-0 items-center"
          />
          <AlikeLine text={text} start={start} end={end} />
        </li>
      ))}
    </ol>
  );
}

function AlikeLine({ text, start, end }: { text: string; start: number; end: number }) {
  const pieces = [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)];
  // What is misleading is found in the whole text.
  const revealed = revealInPieces(pieces, { exact: true, runs: true });
  return (
    <code className="code-text min-w-0 flex-1 text-ink-2">
      {revealed.map((parts, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the three pieces have no other identity than their place
        <span key={index} className={index === 1 ? "font-semibold text-ink" : undefined}>
          <RevealedText parts={parts} />
        </span>
      ))}
    </code>
  );
}
