/** Several commands of one form, to be decided by one decision; opened up on demand. */
import { Check, ChevronDown, ChevronRight, X } from "lucide-react";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type QueueRow, summarise } from "./arrange-queue.ts";
import { ExactText } from "./exact-text.tsx";
import { toggled, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

export function AlikeRow({ row }: { row: Extract<QueueRow, { kind: "alike" }> }) {
  const { approvals, open, key } = row;
  const count = approvals.length;
  const ask = (verb: "approve" | "reject") =>
    useQueue.setState({ bulk: { verb, ids: approvals.map((one) => one.id) } });
  const distinct = [...new Set(approvals.map(summarise))];
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
      <div className="flex items-center gap-2">
        <Badge tone="accent">{count} ×</Badge>
        <ExactText text={row.shape} className="font-semibold" />
      </div>
      <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {distinct.slice(0, 8).map((text) => (
          <li key={text}>
            <ExactText text={text} className="text-ink-2" />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-1.5 [&_svg]:size-3.5">
        <Button look="primary" onClick={() => ask("approve")}>
          <Check aria-hidden />
          {strings.allowAlike(count)}
        </Button>
        <Button onClick={() => ask("reject")}>
          <X aria-hidden />
          {strings.refuseAlike(count)}
        </Button>
        <Button
          look="quiet"
          aria-expanded={open}
          onClick={() => useQueue.setState((state) => ({ openShapes: toggled(state.openShapes, key) }))}
        >
          {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          {open ? strings.fold : strings.showAll(count)}
        </Button>
      </div>
    </div>
  );
}
