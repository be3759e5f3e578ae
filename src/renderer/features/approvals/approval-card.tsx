/** One action request: who asks, what exactly, why, and the decisions. */
import { BookPlus } from "lucide-react";
import { memo, useId, useLayoutEffect, useRef, useState } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { client } from "../../base/client.ts";
import { noteMoved } from "../../base/pointer-aim.ts";
import { useReading } from "../../base/use-reading.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { AgentWords } from "./agent-words.tsx";
import { askAlways, mayBeRuled } from "./approve-always.ts";
import { CardButtons } from "./card-buttons.tsx";
import { CardFormFields, shownForm } from "./card-form.tsx";
import { CardHeader } from "./card-header.tsx";
import { CardPane } from "./card-pane.tsx";
import { CardSubject } from "./card-subject.tsx";
import { keysOf } from "./key-legend.tsx";
import { pressed } from "./last-press.ts";
import { OriginLines } from "./origin-lines.tsx";
import { placeReasons } from "./place-reasons.ts";
import { armingMs, makeCurrent, rearm, useQueue } from "./queue-store.ts";
import { ReachLine } from "./reach-line.tsx";
import { nameOfCard } from "./row-words.ts";
import { strings } from "./strings.ts";
import { submitApprove, submitReject, submitRespond } from "./submit-form.ts";
import { UnitChips } from "./unit-chips.tsx";
import { useTakeFocus } from "./use-take-focus.ts";

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
  const loading = useQueue((state) => state.loading.has(id));
  const problem = useQueue((state) => state.problems.get(id));
  useTakeFocus(id, element);
  useRearm(approval.digest, current);

  const submit = { edit: submitApprove, respond: submitRespond, reason: submitReject };
  const decisions = <CardButtons approval={approval} current={current} />;
  const content = (
    <>
      <CardHeader id={about} approval={approval} inPane={inPane} inThread={inThread} />
      {approval.said && <AgentWords said={approval.said} />}
      <CardSubject approval={approval} />
      {/* What is still on its way from the host would push it down. */}
      <div className={cx("contents", loading && "invisible")}>
        <OriginLines approval={approval} />
        <ReachLine approval={approval} />
        <UnitChips verdict={approval.verdict} notes={placeReasons(approval)} />
        {inPane && <RuleOfferLine approval={approval} />}
      </div>
      {form && (
        <CardFormFields
          key={form}
          approval={approval}
          form={form}
          takesFocus={openedForm !== undefined}
          onSubmit={() => void submit[form](approval, { by: "key" })}
        />
      )}
      {problem && !form && <ProblemText problem={problem} />}
    </>
  );
  return (
    <article
      ref={element}
      data-row={id}
      data-approval={id}
      aria-label={nameOfCard(approval)}
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
        <CardPane decisions={decisions} inThread={inThread} keys={form === undefined ? keysOf(approval) : []}>
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

/**
 * Whatever brings the current card onto the page (a view that opens, a change of it), no key from before is meant for it; nor
 * is a hand on its way to a button of a card that changes.
 */
function useRearm(digest: string, current: boolean): void {
  const drawn = useRef(digest);
  useLayoutEffect(() => {
    if (drawn.current !== digest) noteMoved();
    drawn.current = digest;
    if (current) rearm();
  }, [digest, current]);
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

const passingMs = 400;

/** Offers a rule on a card, in one line, after the person decided alike a few times; declined, it is gone for good. */
function RuleOfferLine({ approval }: { approval: Approval }) {
  const { id, digest } = approval;
  const ask = () => client().call("rules.offer", { id });
  const { value, busy } = useReading(mayBeRuled(approval) ? `${id}:${digest}` : undefined, ask, passingMs);
  const [declined, setDeclined] = useState<string>();
  // What is not offered can be made by hand.
  const offer = busy ? undefined : value?.offer;
  if (!offer || offer.text === declined) return null;
  const decline = async () => {
    try {
      await client().call("rules.declineOffer", { workspace: approval.workspace, text: offer.text });
      setDeclined(offer.text);
    } catch (error) {
      showProblem(strings.offer.stays, describeError(error));
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are remarks
    <div
      role="group"
      aria-label={strings.offer.name}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-2"
    >
      <BookPlus aria-hidden className="size-3.5 shrink-0" />
      {/* The dialog shows a rule of many lines whole; here its buttons stay on the card. */}
      <span className="line-clamp-3 min-w-0">
        {strings.offer.before(offer.approved)} <ExactText text={offer.text} oneLine />
        {strings.offer.after}
      </span>
      <Button small onClick={pressed((press) => void askAlways(approval, press))}>
        {strings.offer.take}
      </Button>
      <Button small look="quiet" onClick={() => void decline()}>
        {strings.offer.decline}
      </Button>
    </div>
  );
}
