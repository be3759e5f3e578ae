/** The long texts of a message, each with its size; one opens, is put into the field as it is, or is taken out. */
import { ClipboardList, X } from "lucide-react";
import { useState } from "react";
import type { Pasted } from "../../../../shared/contract/drafts.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { common } from "../../../base/common-strings.ts";
import { draftOf, setDraft, useDrafts, usePasted } from "../../../base/stores/drafts-store.ts";
import { formatBytes } from "../../../base/words.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ExactText } from "../../../ui/exact-text.tsx";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { strings } from "../strings.ts";
import { focusMessageField } from "./focus-message-field.ts";
import { countLines, markerOf, partsIn } from "./long-text.ts";

const none: readonly Pasted[] = [];

export function LongTextChips({ threadId }: { threadId: ThreadId }) {
  const text = useDrafts((drafts) => drafts[threadId] ?? "");
  const pasted = usePasted((all) => all[threadId] ?? none);
  const parts = partsIn(text, pasted);
  if (parts.length === 0) return null;
  return (
    <ul aria-label={strings.longTexts} className="flex flex-wrap gap-1.5">
      {parts.map((part) => (
        <LongTextChip key={part.name} threadId={threadId} part={part} />
      ))}
    </ul>
  );
}

function LongTextChip({ threadId, part }: { threadId: ThreadId; part: Pasted }) {
  const [open, setOpen] = useState(false);
  function replaceWith(words: string) {
    setDraft(
      threadId,
      draftOf(threadId).replaceAll(markerOf(part), () => words),
    );
    setOpen(false);
    focusMessageField();
  }
  const size = strings.textSize(
    countLines(part.text),
    formatBytes(new TextEncoder().encode(part.text).length),
  );
  return (
    <li className="flex max-w-full items-center gap-1 rounded-md border border-line bg-raised py-0.5 pr-0.5 pl-1.5 text-sm">
      <button
        type="button"
        aria-haspopup="dialog"
        title={strings.openText}
        onClick={() => setOpen(true)}
        className="flex min-h-6 min-w-0 items-center gap-1.5 rounded-sm"
      >
        <ClipboardList aria-hidden className="size-3.5 shrink-0 text-ink-3" />
        <span className="min-w-0 truncate font-mono text-xs">
          <ForeignText text={part.name} />
        </span>
        <span className="shrink-0 text-ink-3">{size}</span>
      </button>
      <IconButton label={strings.detach(part.name)} onClick={() => replaceWith("")} className="size-6!">
        <X />
      </IconButton>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={part.name}
        description={strings.sentExactly(size)}
        wide
        actions={
          <>
            <Button onClick={() => replaceWith(part.text)}>{strings.putIntoField}</Button>
            <Button onClick={() => setOpen(false)}>{common.close}</Button>
          </>
        }
      >
        <ExactText text={part.text} className="block whitespace-pre-wrap" />
      </Dialog>
    </li>
  );
}
