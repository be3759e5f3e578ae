/** The line under which lies what was taken back of the conversation, to be looked at again and not silently gone. */
import { ChevronRight, Undo2 } from "lucide-react";
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { takeBackIdOf } from "../../../../shared/transcript/taken-back.ts";
import { client } from "../../../base/client.ts";
import { attempt } from "../../../ui/attempt.ts";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/class-names.ts";
import { showToast } from "../../../ui/toast.tsx";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { useOpen } from "./open-state.ts";
import { shownPart } from "./transcript-store.ts";

type TakenBackItem = Extract<TranscriptItem, { kind: "takenBack" }>;

const shownAtOnce = 50;
const none: readonly string[] = [];
const words = strings.takenBack;

export function TakenBackLine({ item }: { item: TakenBackItem }) {
  const { threadId, Row } = useConversation();
  const ids = useTranscript((state) => shownPart(state).children.get(item.id) ?? none);
  const [open, setOpen] = useOpen(item.id, false);
  const [all, setAll] = useOpen(`${item.id}:steps`, false);
  const { turns, files, broughtBack } = item;
  if (broughtBack) return <p className="text-sm text-ink-2">{words.broughtBack(turns.length, files)}</p>;
  const shown = all ? ids : ids.slice(0, shownAtOnce);
  return (
    <section aria-label={words.label} className="rounded-lg border border-dashed border-line-strong">
      <div data-find="skip" className="flex items-start gap-2 pr-1">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-6 w-full items-baseline gap-1.5 rounded-lg px-3 py-1 text-left text-sm text-ink-2 hover:bg-hover [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:translate-y-0.5"
        >
          <Undo2 aria-hidden className="text-ink-3" />
          <span className="min-w-0">{words.line(turns.length, files)}</span>
          <ChevronRight aria-hidden className={cx("text-ink-3 transition-transform", open && "rotate-90")} />
        </button>
        <Button
          small
          className="my-0.5 shrink-0"
          data-message-deed="undo"
          onClick={() => void bringBack(threadId, item.id)}
        >
          {words.bringBack}
        </Button>
      </div>
      {open && (
        <ol className="flex flex-col gap-3 px-3 pt-2 pb-3">
          {shown.map((id) => (
            <li key={id} data-item={id} className="rounded-lg empty:hidden">
              <Row id={id} />
            </li>
          ))}
          {shown.length < ids.length && (
            <li>
              <Button small onClick={() => setAll(true)}>
                {words.showAll(ids.length)}
              </Button>
            </li>
          )}
        </ol>
      )}
    </section>
  );
}

async function bringBack(threadId: ThreadId, itemId: string): Promise<void> {
  await attempt(async () => {
    const done = await client().call("undo.reverse", { threadId, id: takeBackIdOf(itemId) });
    showToast(strings.undo.reversed(done.messages, done.files));
  });
}

/** Stands over what was taken back where it is read by itself. */
export function TakenBackMark() {
  return <p className="mb-1 text-xs text-ink-2">{words.mark}</p>;
}
