/** One action request: who asks, what exactly, why, and the decisions. */
import { Bot, Flame, Folder } from "lucide-react";
import { type FocusEvent, memo, useEffect, useRef } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { useNow } from "../../app/clock.ts";
import { go } from "../../app/navigation.ts";
import { formatAge, lastSegment } from "../../app/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/class-names.ts";
import { summarise } from "./arrange-queue.ts";
import { CardButtons } from "./card-buttons.tsx";
import { CardFormFields } from "./card-form.tsx";
import { CardSubject } from "./card-subject.tsx";
import { makeCurrent, rearm, toggled, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { submitApprove, submitReject, submitRespond } from "./submit-form.ts";
import { UnitChips } from "./unit-chips.tsx";

type CardProps = { approval: Approval; compact: boolean };

export const ApprovalCard = memo(function ApprovalCard({ approval, compact }: CardProps) {
  const { id } = approval;
  const element = useRef<HTMLElement>(null);
  const current = useQueue((state) => state.currentId === id);
  const wantsFocus = useQueue((state) => state.focusId === id);
  const selected = useQueue((state) => state.selected.has(id));
  // Full cards open their details by themselves, and so does a file change anywhere: its difference is what is approved.
  // A press folds them.
  const folded = compact && approval.subject.kind !== "file";
  const expanded = useQueue((state) => state.expanded.has(id)) !== !folded;
  const openedForm = useQueue((state) => state.forms.get(id));
  const form = openedForm ?? (isQuestion(approval) ? "respond" : undefined);
  const problem = useQueue((state) => state.problems.get(id));

  useEffect(() => {
    if (!wantsFocus) return;
    element.current?.focus();
    useQueue.setState({ focusId: undefined });
  }, [wantsFocus]);
  useRearmOnChange(approval, current);

  const onFocus = (_: FocusEvent) => makeCurrent(id);
  const submit = { edit: submitApprove, respond: submitRespond, reason: submitReject };
  return (
    <article
      ref={element}
      data-approval={id}
      aria-label={summarise(approval)}
      aria-current={current ? "true" : undefined}
      tabIndex={current ? 0 : -1}
      onFocus={onFocus}
      className={cx(
        "@container flex flex-col gap-2 rounded-lg border p-3 transition-[border-color]",
        current ? "border-accent" : "border-line",
        selected ? "bg-accent-soft" : "bg-surface",
      )}
    >
      <CardHeader approval={approval} selected={selected} compact={compact} />
      <CardSubject approval={approval} expanded={expanded} />
      <UnitChips verdict={approval.verdict} />
      {form && (
        <CardFormFields
          key={form}
          approval={approval}
          form={form}
          takesFocus={openedForm !== undefined}
          onSubmit={() => void submit[form](approval)}
        />
      )}
      {problem && !form && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <CardButtons approval={approval} />
    </article>
  );
});

/** A question shows its answer field from the start. */
function isQuestion(approval: Approval): boolean {
  return approval.subject.kind === "question" && approval.allowedDecisions.includes("respond");
}

/** A current card whose content changed under the person starts its arming time again. */
function useRearmOnChange(approval: Approval, current: boolean): void {
  const digest = useRef(approval.digest);
  useEffect(() => {
    if (current && digest.current !== approval.digest) rearm();
    digest.current = approval.digest;
  }, [approval.digest, current]);
}

function CardHeader({
  approval,
  selected,
  compact,
}: {
  approval: Approval;
  selected: boolean;
  compact: boolean;
}) {
  const now = useNow(10_000);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-ink-3 [&_svg]:size-3">
      {!compact && (
        <input
          type="checkbox"
          checked={selected}
          onChange={() => select(approval.id)}
          aria-label={strings.select(summarise(approval).slice(0, 80))}
          className="size-3.5 accent-accent"
        />
      )}
      <button
        type="button"
        className="min-w-0 truncate text-left font-medium text-ink-2 hover:underline"
        onClick={() => go({ view: "thread", id: approval.threadId })}
      >
        {approval.threadTitle}
      </button>
      <span className="flex items-center gap-1">
        <Bot aria-hidden />
        {approval.agentPath.length > 0 ? strings.delegated(approval.agentPath) : strings.mainAgent}
      </span>
      {!compact && (
        <span className="flex items-center gap-1" title={approval.workspace}>
          <Folder aria-hidden />
          {lastSegment(approval.workspace)}
        </span>
      )}
      <span className="flex-1" />
      {approval.risk === "high" && (
        <Badge tone="bad">
          <Flame aria-hidden />
          {strings.risks.high}
        </Badge>
      )}
      <time
        dateTime={new Date(approval.requestedAt).toISOString()}
        title={new Date(approval.requestedAt).toLocaleString()}
      >
        {formatAge(approval.requestedAt, now)}
      </time>
    </div>
  );
}

function select(id: ApprovalId): void {
  useQueue.setState(({ selected }) => ({ selected: toggled(selected, id) }));
}
