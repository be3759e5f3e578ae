/** Several commands of one form, every one of them listed, to be decided by one decision; opened up on demand. */
import { Check, ChevronDown, ChevronRight, X } from "lucide-react";
import { useRef } from "react";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import type { QueueRow } from "./arrange-queue.ts";
import { askBulk } from "./ask-bulk.ts";
import { CardPane } from "./card-pane.tsx";
import { KeyHint } from "./key-hint.tsx";
import { PlaceInQueue } from "./place-in-queue.tsx";
import { makeCurrent, toggled, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { useTakeFocus } from "./use-take-focus.ts";

/** More are listed in the question before the decision, all of them. */
const mostListed = 20;

export function AlikeCard({ row }: { row: Extract<QueueRow, { kind: "alike" }> }) {
  const { approvals, open, key } = row;
  const element = useRef<HTMLElement>(null);
  useTakeFocus(key, element);
  const count = approvals.length;
  const ids = approvals.map((one) => one.id);
  const more = count - mostListed;
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
              {open ? strings.fold : strings.showAll(count)} <KeyHint keys="e" shown />
            </Button>
          </div>
        }
      >
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone="neutral">{count} ×</Badge>
          <ExactText text={row.shape} oneLine className="text-lg font-semibold" />
          <PlaceInQueue />
        </div>
        <ul className="flex flex-col gap-1 rounded-md border border-line bg-sunken px-2.5 py-2">
          {approvals.slice(0, more > 0 ? mostListed : count).map((approval) => (
            <li key={approval.id}>
              <ExactText text={aboutApproval(approval)} />
            </li>
          ))}
        </ul>
        {more > 0 && <p className="text-sm text-ink-2">{strings.listedInQuestion(more)}</p>}
      </CardPane>
    </section>
  );
}
