/** The part of a card in which a person writes: changed arguments, an answer, or the reason for rejecting. */
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { TextArea } from "../../ui/field.tsx";
import { type CardForm, setDraft, setForm, useQueue } from "./queue-store.ts";
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
    if (drawn && takesFocus) area.current?.querySelector("textarea")?.focus();
  }, [drawn, takesFocus]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      setForm(approval.id, undefined);
      area.current?.closest<HTMLElement>("[data-approval]")?.focus();
    }
    const sends = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
    const oneLine = form !== "edit" && !(form === "respond" && wantsJson(approval));
    if (sends && (oneLine || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit();
    }
  };
  if (!drawn) return null;
  return (
    <div ref={area} className="flex flex-col gap-1">
      <TextArea
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

/** What the editor starts with; `undefined` until the host sent it. */
function initialArguments(approval: Approval, args: Record<string, unknown> | undefined): string | undefined {
  if (approval.subject.kind === "command") return approval.subject.command;
  return args && JSON.stringify(args, null, 2);
}

export function wantsJson(approval: Approval): boolean {
  return approval.subject.kind === "question" && approval.subject.wants === "json";
}

function labelOf(form: CardForm, isCommand: boolean): string {
  if (form === "reason") return strings.reason;
  if (form === "respond") return strings.answer;
  return isCommand ? strings.command : strings.argumentsJson;
}

function placeholderOf(form: CardForm, approval: Approval): string | undefined {
  if (form === "reason") return strings.reasonHint;
  if (form === "respond") return wantsJson(approval) ? strings.answerJsonHint : strings.answerHint;
  return undefined;
}
