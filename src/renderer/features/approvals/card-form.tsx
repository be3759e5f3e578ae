/** The part of a card in which a person writes: changed arguments, an answer, or the reason for rejecting. */
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Choice } from "../../../shared/contract/subjects.ts";
import { jsonText } from "../../base/json-text.ts";
import { forgetTyping } from "../../base/keys.ts";
import { ReadField } from "../seen/read-field.tsx";
import { type CardForm, writtenKey } from "./card-form-name.ts";
import { setDraft, setForm, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { useApprovalDetail } from "./use-approval-detail.ts";

/** `takesFocus`: the person opened it, rather than it standing open from the start. */
type CardFormProps = { approval: Approval; form: CardForm; takesFocus: boolean; onSubmit: () => void };

export function CardFormFields({ approval, form, takesFocus, onSubmit }: CardFormProps) {
  const detail = useApprovalDetail(approval, form === "edit").detail;
  const draft = useQueue((state) => state.drafts.get(`${approval.id}:${form}`));
  const problem = useQueue((state) => state.problems.get(approval.id));
  const area = useRef<HTMLDivElement>(null);
  const isCommand = approval.subject.kind === "command";
  const initial = form !== "edit" ? "" : initialArguments(approval, detail?.args);

  const drawn = initial !== undefined;
  useEffect(() => {
    if (!drawn || !takesFocus) return;
    area.current?.querySelector("textarea")?.focus({ preventScroll: true });
    showForm(area.current);
  }, [drawn, takesFocus]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      setForm(approval.id, undefined);
      area.current?.closest<HTMLElement>("[data-row]")?.focus();
    }
    const sends = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
    const oneLine = form !== "edit" && !(form === "respond" && wantsJson(approval));
    if (sends && (oneLine || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (event.repeat) return;
      // What was typed is sent: the next key is meant for the next card.
      forgetTyping();
      onSubmit();
    }
  };
  if (!drawn) return null;
  return (
    <div ref={area} className="flex flex-col gap-1">
      <ReadField
        readKey={writtenKey(approval.id, form)}
        label={labelOf(form, isCommand)}
        placeholder={placeholderOf(form, approval)}
        mono={form === "edit" || (form === "respond" && wantsJson(approval))}
        spellCheck={form !== "edit"}
        value={draft ?? initial}
        problem={problem}
        onChange={(event) => setDraft(approval.id, form, event.target.value)}
        onKeyDown={onKeyDown}
      />
      {form === "edit" && <p className="text-sm text-ink-3">{strings.editNote}</p>}
    </div>
  );
}

/** Scrolls until the field and the decisions below it stand in view, and as much of the card above as there is room for. */
function showForm(area: HTMLElement | null): void {
  const decisions = area?.closest("[data-row]")?.querySelector<HTMLElement>("[data-decisions]");
  for (const element of [decisions, area]) {
    if (!element) continue;
    element.style.scrollMargin = "12px";
    element.scrollIntoView({ block: "nearest" });
  }
}

/** What the editor starts with; `undefined` until the host sent it. */
function initialArguments(approval: Approval, args: Record<string, unknown> | undefined): string | undefined {
  if (approval.subject.kind === "command") return approval.subject.command;
  return args && jsonText(args);
}

/** The form that stands open in a card; a question shows its answer field from the start. */
export function shownForm({ id, subject, allowedDecisions }: Approval): CardForm | undefined {
  const opened = useQueue.getState().forms.get(id);
  return (
    opened ??
    (subject.kind === "question" && !subject.only && allowedDecisions.includes("respond")
      ? "respond"
      : undefined)
  );
}

export function wantsJson(approval: Approval): boolean {
  return approval.subject.kind === "question" && approval.subject.wants === "json";
}

/** None where an answer is not one of the decisions. */
export function choicesOf({ subject, allowedDecisions }: Approval): readonly Choice[] {
  return (allowedDecisions.includes("respond") && subject.kind === "question" && subject.choices) || [];
}

function labelOf(form: CardForm, isCommand: boolean): string {
  if (form === "reason") return strings.reason;
  if (form === "respond") return strings.answer;
  return isCommand ? strings.command : strings.argumentsJson;
}

function placeholderOf(form: CardForm, approval: Approval): string | undefined {
  if (form === "reason") return strings.reasonHint;
  if (form !== "respond") return undefined;
  if (wantsJson(approval)) return strings.answerJsonHint;
  return choicesOf(approval).length > 0 ? strings.otherAnswerHint : strings.answerHint;
}
