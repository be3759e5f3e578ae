/** The decisions of a card, always in the same order and place; only the allowed ones. */
import { Check, MessageSquareReply, MessageSquareText, PencilLine, RotateCw, Square, X } from "lucide-react";
import type { KeyboardEvent, MouseEvent } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { CardMenu } from "./card-menu.tsx";
import { holdMs } from "./hold-key.ts";
import { isArmed, isShown, setForm, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { submitApprove, submitReject, submitRespond } from "./submit-form.ts";

export function CardButtons({ approval }: { approval: Approval }) {
  const busy = useQueue((state) => state.busy.has(approval.id));
  const form = useQueue((state) => state.forms.get(approval.id));
  const allowed = (type: Approval["allowedDecisions"][number]) => approval.allowedDecisions.includes(type);
  const recovery = approval.kind === "recovery";
  return (
    <div className="flex flex-col gap-1.5">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are commands */}
      <div
        role="group"
        aria-label={strings.decisionsOf}
        data-decisions
        onKeyDown={moveAlong}
        className="flex flex-wrap items-center gap-1.5 [&_svg]:size-3.5 @max-[420px]:gap-1 @max-[420px]:[&_button:not([aria-label])_svg]:hidden @max-[420px]:[&_button:not([aria-label])]:px-1.5"
      >
        {allowed("approve") && <ApproveButton approval={approval} busy={busy} />}
        {recovery && allowed("respond") && <RespondButton approval={approval} busy={busy} />}
        {allowed("reject") && (
          <Button disabled={busy} onClick={guarded(() => void submitReject(approval))}>
            {recovery ? <Square aria-hidden /> : <X aria-hidden />}
            {recovery ? strings.stopTurn : strings.reject}
          </Button>
        )}
        {allowed("edit") && form !== "edit" && (
          <Button disabled={busy} onClick={() => setForm(approval.id, "edit")}>
            <PencilLine aria-hidden />
            {strings.edit}
          </Button>
        )}
        {!recovery && allowed("respond") && <RespondButton approval={approval} busy={busy} />}
        {form && (
          <Button look="quiet" onClick={() => setForm(approval.id, undefined)}>
            {strings.cancel}
          </Button>
        )}
        <span className="flex-1" />
        {allowed("reject") && form !== "reason" && (
          <IconButton
            label={strings.sayWhy}
            disabled={busy}
            className="@max-[420px]:hidden"
            onClick={() => setForm(approval.id, "reason")}
          >
            <MessageSquareText />
          </IconButton>
        )}
        <CardMenu approval={approval} />
      </div>
      <RiskNote approval={approval} />
    </div>
  );
}

function ApproveButton({ approval, busy }: { approval: Approval; busy: boolean }) {
  const confirming = useQueue((state) => state.confirming === approval.id);
  const stale = approval.subject.kind === "file" && approval.subject.stale;
  const shown = useQueue((state) => isShown(approval, state.seen));
  const high = approval.risk === "high";
  const onClick = () => {
    if (high && !confirming) useQueue.setState({ confirming: approval.id });
    else void submitApprove(approval);
  };
  return (
    <Button
      look={confirming ? "danger" : high ? "plain" : "primary"}
      disabled={busy || stale || !shown}
      aria-pressed={high ? confirming : undefined}
      onClick={guarded(onClick)}
      onKeyDown={(event) => high && event.repeat && event.preventDefault()}
      onBlur={() => confirming && useQueue.setState({ confirming: undefined })}
    >
      {approval.kind === "recovery" ? <RotateCw aria-hidden /> : <Check aria-hidden />}
      {approval.kind === "recovery" ? strings.runAgain : strings.approve}
    </Button>
  );
}

function RespondButton({ approval, busy }: { approval: Approval; busy: boolean }) {
  const only = approval.subject.kind === "question" && !approval.allowedDecisions.includes("approve");
  return (
    <Button
      look={only ? "primary" : "plain"}
      disabled={busy}
      onClick={guarded(() => void submitRespond(approval))}
    >
      <MessageSquareReply aria-hidden />
      {approval.kind === "recovery" ? strings.markDone : strings.respond}
    </Button>
  );
}

function RiskNote({ approval }: { approval: Approval }) {
  const confirming = useQueue((state) => state.confirming === approval.id);
  const holding = useQueue((state) => state.holding === approval.id);
  if (!confirming && !holding) return null;
  return (
    <p role="status" className="text-sm font-medium text-bad">
      {holding ? strings.keepHolding : strings.pressAgain}
      {holding && (
        <span
          className="mt-1 block h-1 origin-left animate-[fill_1s_linear_forwards] rounded-full bg-bad"
          style={{ animationDuration: `${holdMs}ms` }}
        />
      )}
    </p>
  );
}

/** Left and right go from decision to decision. */
function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by || !(event.target instanceof HTMLButtonElement)) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  buttons[buttons.indexOf(event.target) + by]?.focus();
  event.preventDefault();
}

/**
 * A click made by a key (Enter or space on the button) waits for the card to be armed like any other key.
 * The second half of a double click is no decision: by then the next card may stand under the pointer.
 */
function guarded(act: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail === 1 || (event.detail === 0 && isArmed())) act();
  };
}
