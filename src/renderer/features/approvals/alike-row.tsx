/** Several commands of one form, every one of them listed, to be decided by one decision; opened up on demand. */
import { Check, ChevronDown, ChevronRight, X } from "lucide-react";
import { useRef } from "react";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import type { QueueRow } from "./arrange-queue.ts";
import { askBulk } from "./ask-bulk.ts";
import { KeyHint } from "./key-hint.tsx";
import { makeCurrent, toggled, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { useTakeFocus } from "./use-take-focus.ts";

/** More are listed in the question before the decision, all of them. */
const mostListed = 20;

export function AlikeRow({ row }: { row: Extract<QueueRow, { kind: "alike" }> }) {
  const { approvals, open, key } = row;
  const element = useRef<HTMLElement>(null);
  const current = useQueue((state) => state.currentId === key);
  useTakeFocus(key, element);
  const count = approvals.length;
  const ids = approvals.map((one) => one.id);
  const more = count - mostListed;
  return (
    <section
      ref={element}
      data-row={key}
      aria-label={strings.alike(count)}
      aria-current={current ? "true" : undefined}
      tabIndex={current ? 0 : -1}
      onFocus={() => makeCurrent(key)}
      className={cx(
        "@container flex flex-col gap-2 rounded-lg border bg-surface p-3",
        current ? "border-accent" : "border-line",
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone="neutral">{count} ×</Badge>
        <ExactText text={row.shape} oneLine className="font-semibold" />
      </div>
      {!open && (
        <ul className="flex flex-col gap-1">
          {approvals.slice(0, more > 0 ? mostListed : count).map((approval) => (
            <li key={approval.id}>
              <ExactText text={aboutApproval(approval)} className="text-ink-2" />
            </li>
          ))}
        </ul>
      )}
      {!open && more > 0 && <p className="text-sm text-ink-2">{strings.listedInQuestion(more)}</p>}
      <div data-decisions className="flex flex-wrap gap-1.5 [&_svg]:size-3.5">
        <Button look="primary" onClick={() => askBulk("approve", ids)}>
          <Check aria-hidden />
          {strings.allowAlike(count)} <KeyHint keys="y" shown={current} />
        </Button>
        <Button onClick={() => askBulk("reject", ids)}>
          <X aria-hidden />
          {strings.refuseAlike(count)} <KeyHint keys="n" shown={current} />
        </Button>
        <Button
          look="quiet"
          aria-expanded={open}
          onClick={() => useQueue.setState((state) => ({ openShapes: toggled(state.openShapes, key) }))}
        >
          {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          {open ? strings.fold : strings.showAll(count)} <KeyHint keys="e" shown={current} />
        </Button>
      </div>
    </section>
  );
}
