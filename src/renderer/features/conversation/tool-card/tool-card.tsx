/** A tool call in the conversation: what it does, who let it through, how it goes, and what came of it. */
import {
  CircleQuestionMark,
  FilePen,
  FilePlus2,
  FileSymlink,
  FileText,
  FolderTree,
  Globe,
  ListTodo,
  type LucideIcon,
  Search,
  SquareTerminal,
  Trash2,
  Undo2,
  Users,
  Wrench,
} from "lucide-react";
import { useRef, useState } from "react";
import type { Decision } from "../../../../shared/contract/decisions.ts";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { type ApprovalId, executionIdSchema, turnIdSchema } from "../../../../shared/ids.ts";
import { factsOf, kindOf, type ToolIcon } from "../../../../shared/tools/tools.ts";
import { wordsOfWidth } from "../../../base/width-words.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { cx } from "../../../ui/class-names.ts";
import { ExactText } from "../../../ui/exact-text.tsx";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { makeCurrent } from "../../approvals/queue-store.ts";
import { useConversation } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { type AllowedBy, useAllowance } from "../transcript/allowed-by-store.ts";
import { useHoldRow } from "../transcript/held-rows.ts";
import { messageDeeds } from "../transcript/own-message-keys.ts";
import { UndoDialog } from "../transcript/undo-dialog.tsx";
import { ToolBody } from "./tool-body.tsx";
import { ToolState } from "./tool-state.tsx";
import { hasFailed, planProgressOf, subjectOf, verbOf } from "./tool-subject.ts";

const icons: Record<ToolIcon, LucideIcon> = {
  terminal: SquareTerminal,
  file: FileText,
  folder: FolderTree,
  search: Search,
  "file-new": FilePlus2,
  "file-edit": FilePen,
  "file-delete": Trash2,
  "file-move": FileSymlink,
  globe: Globe,
  people: Users,
  list: ListTodo,
  question: CircleQuestionMark,
};

export function ToolCard({ item }: { item: ToolCallItem }) {
  const facts = factsOf(item.tool);
  const Icon = facts ? icons[facts.icon] : Wrench;
  const subject = subjectOf(item);
  const progress = planProgressOf(item);
  // What waits stands whole in its request, which is the one thing in ink.
  const waits = item.state === "waiting";
  // What an agent asks in words is no code.
  const Subject = kindOf(item.tool) === "question" ? ForeignText : ExactText;
  return (
    <article
      aria-label={subject ? `${verbOf(item)} ${subject}` : verbOf(item)}
      className={cx(
        "group/call overflow-hidden rounded-lg border bg-surface",
        hasFailed(item) ? "border-bad" : "border-line",
      )}
    >
      <div className="flex flex-col gap-1 px-3 py-1.5">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <Icon aria-hidden className="size-3.5 shrink-0 translate-y-0.5 text-ink-3" />
          <span data-find="skip" className="shrink-0 font-medium">
            {verbOf(item)}
          </span>
          {progress && <span className="text-sm text-ink-3">{progress}</span>}
          {subject && (
            <Subject text={subject} className={cx("min-w-0 flex-[1_1_12rem]", waits && "line-clamp-2")} />
          )}
          <span data-find="skip" className="ml-auto flex flex-row-reverse items-center gap-1">
            {/* First, since its words stand on the line of the others. */}
            {!(progress && item.outcome === "ok") && <ToolState item={item} />}
            <UndoCall item={item} />
            {waits && item.approvalId && <WaitsForYou approvalId={item.approvalId as ApprovalId} />}
          </span>
        </div>
        <ToolAllowance item={item} />
      </div>
      {!(waits && item.approvalId) && <ToolBody item={item} />}
    </article>
  );
}

/** The button at a call that changed files: takes back what it and all after it did to them. */
function UndoCall({ item }: { item: ToolCallItem }) {
  const { threadId } = useConversation();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useHoldRow(button, open);
  const kind = kindOf(item.tool);
  const executionId = item.receipt?.executionId;
  if (item.state !== "finished" || !executionId || (kind !== "command" && kind !== "change")) return null;
  return (
    <>
      <IconButton
        ref={button}
        data-message-deed="undo"
        label={strings.undo.buttonCall}
        keyName={messageDeeds.undo}
        className="size-6! opacity-0 group-hover/call:opacity-100 group-focus-within/call:opacity-100"
        onClick={() => setOpen(true)}
      >
        <Undo2 />
      </IconButton>
      {open && (
        <UndoDialog
          threadId={threadId}
          turnId={turnIdSchema.parse(item.turnId)}
          executionId={executionIdSchema.parse(executionId)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Who let a call through or refused it and why, and how far it reached. */
function ToolAllowance({ item }: { item: ToolCallItem }) {
  const { threadId } = useConversation();
  const allowance = useAllowance(item, threadId);
  if (!allowance && !item.decision && !item.width) return null;
  const told = [
    ...(allowance ? [sayWho(allowance, item.decision)] : []),
    ...(item.width ? [wordsOfWidth(item.width)] : []),
  ];
  return (
    <div className="text-xs text-ink-3">
      {(allowance || item.width) && <p data-find="skip">{told.join(" · ")}</p>}
      {item.decision?.type === "reject" && item.decision.message && (
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {strings.reason}: <ForeignText text={item.decision.message} lines />
        </p>
      )}
    </div>
  );
}

function sayWho({ by, verdict }: AllowedBy, decision: Decision | undefined): string {
  const refused = decision?.type === "reject";
  const who =
    decision?.type === "respond"
      ? strings.outcomes.answered
      : (refused ? strings.refusedBy : strings.allowedBy)[by.kind];
  const reasons = by.kind === "rule" || by.kind === "policy" ? reasonsOf(verdict) : "";
  const changed = decision?.type === "edit" ? `, ${strings.changed}` : "";
  return `${who}${changed}${reasons ? strings.because(reasons) : ""}`;
}

function reasonsOf(verdict: AllowedBy["verdict"]): string {
  const reasons = verdict?.units.map((unit) => unit.reason) ?? [];
  return [...new Set(reasons)].slice(0, 4).join(" ");
}

/** The way to its request below, which has all of it. */
function WaitsForYou({ approvalId }: { approvalId: ApprovalId }) {
  return (
    <Button small look="quiet" onClick={() => makeCurrent(approvalId, true)}>
      {strings.showRequest}
    </Button>
  );
}
