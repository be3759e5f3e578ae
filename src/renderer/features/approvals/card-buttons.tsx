/** The decisions of a card, always in the same order and place; only the allowed ones. */
import {
  Check,
  ChevronDown,
  FlaskConical,
  MessageSquareReply,
  MessageSquareText,
  PencilLine,
  RotateCw,
  Square,
  X,
} from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { common } from "../../base/common-strings.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { useIsRead } from "../seen/use-read-gauge.ts";
import { askAlways, mayBeRuled } from "./approve-always.ts";
import type { CardForm } from "./card-form-name.ts";
import { CardMenu } from "./card-menu.tsx";
import { isLetThrough } from "./decide.ts";
import { isStale, type Press } from "./decision-gate.ts";
import { holdMs } from "./hold-key.ts";
import { KeyHint } from "./key-legend.tsx";
import { pressed } from "./last-press.ts";
import { nobodyWaits } from "./nobody-waits.ts";
import { setForm, useQueue } from "./queue-store.ts";
import { rehearsalStrings as words } from "./rehearsal-strings.ts";
import { mayRehearse, rehearse, useRehearsing } from "./rehearse.ts";
import { strings } from "./strings.ts";
import { submitApprove, submitReject, submitRespond } from "./submit-form.ts";

export function CardButtons({ approval, current }: { approval: Approval; current: boolean }) {
  const busy = useQueue((state) => state.busy.has(approval.id));
  const form = useQueue((state) => state.forms.get(approval.id));
  const allowed = (type: Approval["allowedDecisions"][number]) => approval.allowedDecisions.includes(type);
  const recovery = approval.kind === "recovery";
  const gone = nobodyWaits(approval);
  const hint = (keys: string, held = false) => (
    <KeyHint keys={keys} shown={current && form === undefined} held={held} />
  );
  // While something is written, Enter is the key of the button that sends it.
  const sends = (keys: string, written: CardForm) =>
    form === written ? <KeyHint keys="Enter" shown={current} /> : hint(keys);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are commands
    <div
      role="group"
      aria-label={strings.decisionsOf}
      data-decisions
      onKeyDown={moveAlong}
      // One line at every width, so that they stand at the same pixel on each card: first the icons give way, then the keys.
      className="flex flex-wrap items-center gap-1.5 [&_svg]:size-3.5 @max-[740px]:[&_button:not([aria-label])_svg]:hidden @max-[500px]:gap-1 @max-[500px]:[&_button:not([aria-label])]:px-1.5 @max-[500px]:[&_button[aria-label]]:w-7"
    >
      {allowed("approve") && (
        <ApproveButton
          approval={approval}
          busy={busy}
          inInk={current && (form === undefined || form === "edit")}
          hint={hint("y", approval.risk === "high")}
        />
      )}
      {mayBeRuled(approval) && form === undefined && <AlwaysButton approval={approval} busy={busy} />}
      {recovery && allowed("respond") && <RespondButton approval={approval} busy={busy} hint={hint("r")} />}
      {allowed("reject") && (
        <Button
          look={form === "reason" ? "strong" : "plain"}
          disabled={busy}
          onClick={pressed((press) => void submitReject(approval, press))}
        >
          {recovery ? <Square aria-hidden /> : <X aria-hidden />}
          {rejectWords(approval)}
          {sends("n", "reason")}
        </Button>
      )}
      {allowed("edit") && form !== "edit" && (
        <Button disabled={busy} onClick={() => setForm(approval.id, "edit")}>
          <PencilLine aria-hidden />
          {strings.edit}
          {hint("c")}
        </Button>
      )}
      {form === undefined && <RehearseButton approval={approval} busy={busy} hint={hint("h")} />}
      {!recovery && allowed("respond") && (
        <RespondButton
          approval={approval}
          busy={busy}
          hint={sends("r", "respond")}
          isSending={form === "respond"}
          inMenu={form !== "respond"}
        />
      )}
      {form && (
        <Button look="quiet" onClick={() => setForm(approval.id, undefined)}>
          {common.cancel}
        </Button>
      )}
      <span className="flex-1" />
      {allowed("reject") && !gone && form !== "reason" && (
        // Where there is no room for it, the menu beside it has it too.
        <IconButton
          label={strings.sayWhy}
          className="@max-[360px]:hidden"
          onClick={() => setForm(approval.id, "reason")}
        >
          <MessageSquareText />
        </IconButton>
      )}
      <CardMenu approval={approval} />
    </div>
  );
}

type DecisionProps = { approval: Approval; busy: boolean; hint: ReactNode };

/** In ink on the current card alone, unless another decision is being written there. Pressed before its card was on the screen to its end, it leads there; that it will is said, not only greyed. */
function ApproveButton({ approval, busy, inInk, hint }: DecisionProps & { inInk: boolean }) {
  const confirming = useQueue((state) => state.confirming === approval.id);
  const holding = useQueue((state) => state.holding === approval.id);
  const loading = useQueue((state) => state.loading.has(approval.id));
  const read = useIsRead(approval.id, approval.digest);
  const high = approval.risk === "high";
  const onPress = async (press: Press) => {
    if (!high || confirming) return void submitApprove(approval, press);
    if (await isLetThrough(approval, "approve", press)) useQueue.setState({ confirming: approval.id });
  };
  const isAgain = approval.kind === "recovery" || approval.kind === "escalation";
  const label = isAgain ? strings.runAgain : (labels[approval.kind] ?? strings.approve);
  return (
    <Button
      look={confirming ? "danger" : inInk ? "primary" : "plain"}
      disabled={busy || loading || isStale(approval)}
      locked={!read}
      title={read ? undefined : strings.notes.unread}
      aria-pressed={high ? confirming : undefined}
      onClick={pressed((press) => void onPress(press))}
      onBlur={() => confirming && useQueue.setState({ confirming: undefined })}
      className="relative isolate overflow-hidden"
    >
      {holding && (
        <span
          aria-hidden
          className="absolute inset-0 -z-10 origin-left animate-[fill_1s_linear_forwards] bg-bad"
          style={{ animationDuration: `${holdMs}ms` }}
        />
      )}
      {isAgain ? <RotateCw aria-hidden /> : <Check aria-hidden />}
      {label}
      {hint}
    </Button>
  );
}

/** Where a yes starts nothing. */
const labels: Partial<Record<Approval["kind"], string>> = {
  setAside: strings.takeIn,
  response: strings.handOver,
};

/** Belongs to Approve: the same press, and a rule for what is like it. */
function AlwaysButton({ approval, busy }: Omit<DecisionProps, "hint">) {
  const read = useIsRead(approval.id, approval.digest);
  return (
    // In a thread on the narrowest window there is no room for it; a rule can be made from the menu beside it.
    <IconButton
      label={strings.always}
      look="plain"
      disabled={busy}
      locked={!read}
      className="-ml-1 w-6! @max-[250px]:hidden"
      onClick={pressed((press) => void askAlways(approval, press))}
    >
      <ChevronDown />
    </IconButton>
  );
}

type RespondProps = DecisionProps & { isSending?: boolean; inMenu?: boolean };

/** @param inMenu where there is no room for it, the menu beside it has it too. */
function RespondButton({ approval, busy, hint, isSending = false, inMenu = false }: RespondProps) {
  const read = useIsRead(approval.id, approval.digest);
  const only = approval.subject.kind === "question" && !approval.allowedDecisions.includes("approve");
  return (
    <Button
      look={only ? "primary" : isSending ? "strong" : "plain"}
      className={cx(inMenu && !only && "@max-[325px]:hidden")}
      disabled={busy}
      locked={!read}
      onClick={pressed((press) => void submitRespond(approval, press))}
    >
      <MessageSquareReply aria-hidden />
      {approval.kind === "recovery" ? strings.markDone : strings.respond}
      {hint}
    </Button>
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

/** The button that has a command rehearsed before it is decided about. */
function RehearseButton({ approval, busy, hint }: { approval: Approval; busy: boolean; hint: ReactNode }) {
  useHost((state) => state.host?.sandbox.state);
  const underway = useRehearsing(({ ids }) => ids.has(approval.id));
  if (!mayRehearse(approval)) return null;
  return (
    // Where there is no room for it, the menu beside it has it too.
    <Button
      disabled={busy || underway}
      className="@max-[432px]:hidden"
      onClick={() => void rehearse(approval, true)}
    >
      <FlaskConical aria-hidden />
      {underway ? words.rehearsing : words.rehearse}
      {hint}
    </Button>
  );
}

function rejectWords(approval: Approval): string {
  if (approval.kind === "recovery") return strings.stopTurn;
  if (nobodyWaits(approval)) return strings.terminal.putAway;
  return approval.kind === "setAside" ? strings.leaveAside : strings.reject;
}
