/** One action request: who asks, what exactly, why, and the decisions. */
import { Bot, Flame, Folder } from "lucide-react";
import { memo, useEffect, useId, useRef } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { useNow } from "../../base/clock.ts";
import { go } from "../../base/navigation.ts";
import { formatAge, lastSegment } from "../../base/words.ts";
import { AgentPath } from "../../ui/agent-path.tsx";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { CardButtons } from "./card-buttons.tsx";
import { CardFormFields, shownForm } from "./card-form.tsx";
import { CardSubject } from "./card-subject.tsx";
import { armingMs, makeCurrent, rearm, toggled, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { submitApprove, submitReject, submitRespond } from "./submit-form.ts";
import { classIcons, UnitChips } from "./unit-chips.tsx";
import { useTakeFocus } from "./use-take-focus.ts";
import { classOf } from "./verdict-class.ts";

/** The name of a card is heard, not read: what is longer stands in the card. */
const longestName = 200;

type CardProps = { approval: Approval; compact: boolean };

export const ApprovalCard = memo(function ApprovalCard({ approval, compact }: CardProps) {
  const { id } = approval;
  const element = useRef<HTMLElement>(null);
  const about = useId();
  const current = useQueue((state) => state.currentId === id);
  const selected = useQueue((state) => state.selected.has(id));
  const openedForm = useQueue((state) => state.forms.get(id));
  const form = shownForm(approval);
  const problem = useQueue((state) => state.problems.get(id));
  useTakeFocus(id, element);
  useRearmOnChange(approval, current);

  const submit = { edit: submitApprove, respond: submitRespond, reason: submitReject };
  return (
    <article
      ref={element}
      data-row={id}
      data-approval={id}
      aria-label={spellOut(aboutApproval(approval).slice(0, longestName))}
      aria-describedby={about}
      aria-current={current ? "true" : undefined}
      tabIndex={current ? 0 : -1}
      onFocus={() => makeCurrent(id)}
      className={cx(
        "@container relative flex flex-col gap-2 rounded-lg border p-3 transition-[border-color]",
        current ? "border-accent" : "border-line",
        selected ? "bg-accent-soft" : "bg-surface",
      )}
    >
      {current && <ArmingBar />}
      <CardHeader id={about} approval={approval} selected={selected} compact={compact} />
      <CardSubject approval={approval} />
      <UnitChips verdict={approval.verdict} />
      {form && (
        <CardFormFields
          key={form}
          approval={approval}
          form={form}
          takesFocus={openedForm !== undefined}
          onSubmit={() => void submit[form](approval, { by: "key" })}
        />
      )}
      {problem && !form && (
        <p role="alert" className="text-bad">
          <ForeignText text={problem} lines />
        </p>
      )}
      <CardButtons approval={approval} current={current} />
    </article>
  );
});

/** A current card whose content changed under the person starts its arming time again. */
function useRearmOnChange(approval: Approval, current: boolean): void {
  const digest = useRef(approval.digest);
  useEffect(() => {
    if (current && digest.current !== approval.digest) rearm();
    digest.current = approval.digest;
  }, [approval.digest, current]);
}

type HeaderProps = CardProps & { id: string; selected: boolean };

function CardHeader({ id, approval, selected, compact }: HeaderProps) {
  const now = useNow(10_000);
  return (
    <div
      id={id}
      className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-ink-3 [&_svg]:size-3"
    >
      {!compact && (
        <input
          type="checkbox"
          checked={selected}
          onChange={() => select(approval.id)}
          aria-label={strings.select(spellOut(aboutApproval(approval).slice(0, 80)))}
          className="size-3.5 accent-accent"
        />
      )}
      <button
        type="button"
        title={spellOut(approval.threadTitle)}
        className="min-w-0 truncate text-left font-medium text-ink-2 hover:underline"
        onClick={() => go({ view: "thread", id: approval.threadId })}
      >
        <ForeignText text={approval.threadTitle} />
      </button>
      <span className="flex min-w-0 items-center gap-1">
        <Bot aria-hidden className="shrink-0" />
        {approval.agentPath.length > 0 ? <AgentPath path={approval.agentPath} /> : strings.mainAgent}
      </span>
      {!compact && (
        <span className="flex min-w-0 items-center gap-1" title={spellOut(approval.workspace)}>
          <Folder aria-hidden className="shrink-0" />
          <ForeignText text={lastSegment(approval.workspace)} />
        </span>
      )}
      <span className="flex-1" />
      {approval.risk === "high" && <Attention approval={approval} />}
      <time
        dateTime={new Date(approval.requestedAt).toISOString()}
        title={new Date(approval.requestedAt).toLocaleString()}
      >
        {formatAge(approval.requestedAt, now)}
      </time>
    </div>
  );
}

/** What leaves the machine or cannot be undone says so where others say their risk. */
function Attention({ approval }: { approval: Approval }) {
  const beyond = classOf(approval.verdict);
  const Icon = beyond ? classIcons[beyond] : Flame;
  return (
    <Badge tone="bad">
      <Icon aria-hidden />
      {beyond ? strings.classes[beyond] : strings.risks.high}
    </Badge>
  );
}

/** The bar at the top edge that fills until the card takes keys. */
function ArmingBar() {
  const armings = useQueue((state) => state.armings);
  return (
    <span
      key={armings}
      aria-hidden
      className="pointer-events-none absolute inset-x-2 -top-px h-0.5 origin-left animate-[fill_1s_linear_both] rounded-full bg-accent"
      style={{ animationDuration: `${armingMs}ms` }}
    />
  );
}

function select(id: ApprovalId): void {
  useQueue.setState(({ selected }) => ({ selected: toggled(selected, id) }));
}
