/** One action request: who asks, what exactly, why, and the decisions. */
import { Bot, Flame, Folder } from "lucide-react";
import { memo, useEffect, useId, useRef } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { useNow } from "../../base/clock.ts";
import { go } from "../../base/navigation.ts";
import { formatAge, lastSegment } from "../../base/words.ts";
import { AgentPath } from "../../ui/agent-path.tsx";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { AgentWords } from "./agent-words.tsx";
import { isSnoozed } from "./arrange-queue.ts";
import { CardButtons } from "./card-buttons.tsx";
import { CardFormFields, shownForm } from "./card-form.tsx";
import { CardPane } from "./card-pane.tsx";
import { CardSubject } from "./card-subject.tsx";
import { OriginLines } from "./origin-lines.tsx";
import { PlaceInQueue, usePlaceInQueue } from "./place-in-queue.tsx";
import { placeReasons } from "./place-reasons.ts";
import { QueuePager } from "./queue-pager.tsx";
import { armingMs, makeCurrent, rearm, useQueue } from "./queue-store.ts";
import { ReachLine } from "./reach-line.tsx";
import { RiskShape } from "./risk-shape.tsx";
import { verbOf } from "./row-words.ts";
import { RuleOfferLine } from "./rule-offer.tsx";
import { strings } from "./strings.ts";
import { submitApprove, submitReject, submitRespond } from "./submit-form.ts";
import { classIcons, UnitChips } from "./unit-chips.tsx";
import { useTakeFocus } from "./use-take-focus.ts";
import { classOf } from "./verdict-class.ts";

/** The name of a card is heard, not read: what is longer stands in the card. */
const longestName = 200;

/**
 * `inPane`: the one card there is, whole, beside the rows or `inThread` above the message field; else one of several in
 * the column beside another view.
 */
type CardProps = { approval: Approval; inPane?: boolean; inThread?: boolean };

export const ApprovalCard = memo(function ApprovalCard({
  approval,
  inThread = false,
  inPane = inThread,
}: CardProps) {
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
  const decisions = <CardButtons approval={approval} current={current} />;
  const content = (
    <>
      <CardHeader id={about} approval={approval} inPane={inPane} inThread={inThread} />
      {approval.said && <AgentWords said={approval.said} />}
      <CardSubject approval={approval} />
      <OriginLines approval={approval} />
      <ReachLine approval={approval} />
      <UnitChips verdict={approval.verdict} notes={placeReasons(approval)} />
      {inPane && <RuleOfferLine approval={approval} />}
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
    </>
  );
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
        "@container relative flex flex-col",
        inPane
          ? "min-h-0 min-w-0 flex-1 bg-surface -outline-offset-2"
          : "gap-2 rounded-lg border p-3 transition-[border-color]",
        !inPane && (current ? "border-accent" : "border-line"),
        !inPane && (selected ? "bg-hover" : "bg-surface"),
      )}
    >
      {current && <ArmingBar />}
      {inPane ? (
        <CardPane decisions={decisions} inThread={inThread}>
          {content}
        </CardPane>
      ) : (
        <>
          {content}
          {decisions}
        </>
      )}
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

type HeaderProps = CardProps & { id: string };

function CardHeader({ id, approval, inPane, inThread }: HeaderProps) {
  const now = useNow(10_000);
  return (
    <div
      id={id}
      className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-ink-3 [&_svg]:size-3"
    >
      {inPane && <RiskWord approval={approval} />}
      {!inThread && (
        <button
          type="button"
          title={spellOut(approval.threadTitle)}
          className="min-h-6 min-w-6 truncate text-left font-medium text-ink-2 hover:underline"
          onClick={() => go({ view: "thread", id: approval.threadId })}
        >
          <ForeignText text={approval.threadTitle} />
        </button>
      )}
      <span className="flex min-w-0 items-center gap-1">
        <Bot aria-hidden className="shrink-0" />
        {approval.agentPath.length > 0 ? <AgentPath path={approval.agentPath} /> : strings.mainAgent}
      </span>
      {inPane && !inThread && (
        <span className="flex min-w-0 items-center gap-1" title={spellOut(approval.workspace)}>
          <Folder aria-hidden className="shrink-0" />
          <ForeignText text={lastSegment(approval.workspace)} />
        </span>
      )}
      {!inPane && <span className="flex-1" />}
      {!inPane && approval.risk === "high" && <Attention approval={approval} />}
      <time
        dateTime={new Date(approval.requestedAt).toISOString()}
        title={new Date(approval.requestedAt).toLocaleString()}
      >
        {sayWaiting(approval, inPane, now)}
      </time>
      {inPane && (inThread ? <PlaceInThread /> : <PlaceInQueue />)}
    </div>
  );
}

function sayWaiting(approval: Approval, inPane: boolean | undefined, now: number): string {
  if (isSnoozed(approval, now)) return strings.snoozedUntil(approval.snoozedUntil ?? 0);
  const age = formatAge(approval.requestedAt, now);
  return inPane ? strings.waits(age) : age;
}

/** Where several wait in a thread, there are no rows to choose from. */
function PlaceInThread() {
  const several = useQueue(({ order }) => order.length > 1);
  return several && <QueuePager className="size-6" />;
}

/** The risk by its shape and in words; what leaves the machine or cannot be undone says so. */
function RiskWord({ approval }: { approval: Approval }) {
  const beyond = classOf(approval.verdict);
  const tone = { high: "text-bad", medium: "text-warn", low: "text-ink-2" }[approval.risk];
  const word = strings.risks[approval.risk];
  const place = usePlaceInQueue();
  return (
    <h2
      aria-label={strings.cardHeading(verbOf(approval), word, place)}
      className={cx("flex items-center gap-1.5 font-medium", tone)}
    >
      <RiskShape approval={approval} className="size-3.5!" />
      {word}
      {beyond && ` · ${strings.classes[beyond]}`}
    </h2>
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
