/** Says an earlier message in other words: a new thread goes on from there, the old one stays. */

import { type KeyboardEvent, useRef, useState } from "react";
import type { MessageId } from "../../../../shared/ids.ts";
import { common } from "../../../base/common-strings.ts";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Kbd } from "../../../ui/kbd.tsx";
import { forkThread } from "../../threads/thread-commands.ts";
import { useConversation } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { useHoldRow } from "../transcript/held-rows.ts";

type ForkFormProps = { messageId: MessageId; text: string; onClose: () => void };

export function ForkForm({ messageId, text, onClose }: ForkFormProps) {
  const { threadId } = useConversation();
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  useHoldRow(form, true);
  async function fork() {
    const words = field.current?.value.trim();
    if (!words || busy) return;
    setBusy(true);
    await forkThread(threadId, messageId, { send: words });
    setBusy(false);
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void fork();
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void fork();
      }}
      className="ml-auto flex w-full max-w-[88%] flex-col gap-2 rounded-lg border border-line-strong bg-surface p-3"
    >
      <TextArea ref={field} autoFocus label={strings.newWords} defaultValue={text} onKeyDown={onKeyDown} />
      <p className="text-sm text-ink-3">{strings.forkHint}</p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button look="strong" type="submit" disabled={busy}>
          {strings.forkGo}
          <span aria-hidden className="-mr-1 inline-flex">
            <Kbd keys="$mod+Enter" />
          </span>
        </Button>
      </div>
    </form>
  );
}
