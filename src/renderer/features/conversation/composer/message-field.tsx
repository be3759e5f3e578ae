/** The message field itself: the draft, files by `@`, commands by `/`, files and long texts by paste and drop. */

import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useRef,
  useState,
} from "react";
import type { MessageCommand } from "../../../../shared/contract/agents.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { draftOf, setDraft } from "../../../base/stores/drafts-store.ts";
import { attempt } from "../../../ui/attempt.ts";
import { moveInList } from "../../../ui/move-in-list.ts";
import { focusCurrentCard } from "../../approvals/queue-store.ts";
import { strings } from "../strings.ts";
import { attachFiles, holdText } from "./attach-files.ts";
import { attach } from "./attachments-store.ts";
import { isLong, longestMessageChars } from "./long-text.ts";
import { putOwnCommand, takesWords } from "./own-commands.ts";
import { SuggestionList } from "./suggestion-list.tsx";
import { useMessageText } from "./use-message-text.ts";
import { findTrigger, type Suggestion, useSuggestions } from "./use-suggestions.ts";

type MessageFieldProps = {
  threadId: ThreadId;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
};

export function MessageField({ threadId, field, onSend }: MessageFieldProps) {
  const listId = useId();
  const [marked, setMarked] = useState(0);
  const message = useMessageText(threadId, field, () => setMarked(0));
  const suggested = useSuggested(threadId, message, onSend);
  const { trigger, found } = suggested;
  const { suggestions } = found;
  const at = Math.min(marked, suggestions.length - 1);
  const onHistoryKey = useSentHistory(threadId, (next) => {
    message.write(next);
    suggested.dismiss(next);
  });

  /** Short text is left to the field; long text and files stand as chips above it. */
  function take(event: ClipboardEvent | DragEvent, data: DataTransfer) {
    const pasted = data.getData("text/plain");
    if (data.files.length > 0) void attachFiles(threadId, [...data.files], message.put);
    else if (isLong(pasted)) holdText(threadId, "", pasted, message.put);
    else return;
    event.preventDefault();
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const chosen = suggestions[at];
    if (trigger && chosen && takesKey(event)) {
      event.preventDefault();
      const next = moveInList(event.key, at, suggestions.length);
      if (next !== undefined) setMarked(next);
      else if (event.key === "Escape") suggested.dismiss(message.text);
      else suggested.choose(chosen);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      onSend();
    } else if (event.key === "Backspace" && message.removeMarker()) event.preventDefault();
    else if (onHistoryKey(event) || (event.key === "Escape" && leave())) event.preventDefault();
  }
  return (
    <>
      {trigger && (
        <SuggestionList id={listId} kind={trigger.kind} marked={at} onChoose={suggested.choose} {...found} />
      )}
      <textarea
        ref={field}
        aria-label={strings.message}
        aria-autocomplete="list"
        aria-controls={trigger && suggestions.length > 0 ? listId : undefined}
        aria-activedescendant={trigger && suggestions.length > 0 ? `${listId}-${at}` : undefined}
        placeholder={strings.placeholder}
        value={message.text}
        rows={1}
        maxLength={longestMessageChars}
        onChange={({ target }) => message.type(target.value, target.selectionEnd)}
        onSelect={({ currentTarget }) => message.setCaret(currentTarget.selectionEnd)}
        onKeyDown={onKeyDown}
        onPaste={(event) => take(event, event.clipboardData)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => take(event, event.dataTransfer)}
        className="field-sizing-content max-h-56 min-h-7 w-full resize-none bg-transparent px-1.5 py-1 outline-none cramped:placeholder-shown:field-sizing-fixed cramped:placeholder-shown:h-7 cramped:placeholder-shown:overflow-hidden cramped:placeholder-shown:whitespace-nowrap"
      />
    </>
  );
}

/** What is suggested for the text in front of the caret, until it is dismissed for that text. */
function useSuggested(threadId: ThreadId, message: ReturnType<typeof useMessageText>, onSend: () => void) {
  const { text, caret, write } = message;
  const [dismissed, dismiss] = useState<string>();
  const trigger = dismissed === text ? undefined : findTrigger(text, caret);
  const found = useSuggestions(threadId, trigger);

  function choose(suggestion: Suggestion) {
    if (!trigger) return;
    if (suggestion.kind === "own") return chooseOwn(suggestion.command, text.slice(trigger.to).trim());
    const put = suggestion.kind === "file" ? `@${suggestion.path} ` : `/${suggestion.command.name} `;
    if (suggestion.kind === "file") attach(threadId, [{ kind: "file", path: suggestion.path }]);
    const before = text.slice(0, trigger.from) + put;
    write(before + text.slice(trigger.to).trimStart(), before.length);
    if (suggestion.kind === "command" && !suggestion.command.takesText) onSend();
  }
  function chooseOwn(command: MessageCommand, rest: string) {
    const waits = rest === "" && takesWords(command);
    if (waits) setDraft(threadId, `/${command.name} `);
    else putOwnCommand(threadId, command, rest);
    const next = draftOf(threadId);
    write(next);
    // A text that begins like a command or ends like a mention opens no list before somebody types in it.
    if (!waits) dismiss(next);
  }
  return { trigger, found, choose, dismiss };
}

/** To the request that waits, else to the conversation: single keys act from there, and arrows scroll. */
function leave(): boolean {
  if (focusCurrentCard()) return true;
  const log = document.querySelector<HTMLElement>(`[role="log"][aria-label="${strings.transcript}"]`);
  log?.focus({ preventScroll: true });
  return log !== null;
}

function takesKey(event: KeyboardEvent): boolean {
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
  return ["ArrowDown", "ArrowUp", "Enter", "Tab", "Escape"].includes(event.key);
}

type Walk = { texts: readonly string[]; at: number };

/** @param write puts a text into the field, with the caret behind it. @returns a handler that says whether the key was its own. */
function useSentHistory(
  threadId: ThreadId,
  write: (text: string) => void,
): (event: KeyboardEvent<HTMLTextAreaElement>) => boolean {
  const walk = useRef<Walk>(undefined);

  async function begin(field: HTMLTextAreaElement) {
    const found = await attempt(() => client().call("drafts.history", { threadId }), strings.historyFailed);
    // Who went on writing meanwhile does not want it any more.
    if (found && field.value === "" && found.texts.length > 0) show({ texts: found.texts, at: 0 });
  }
  function show(next: Walk) {
    walk.current = next;
    write(next.texts[next.at] ?? "");
  }
  return (event) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (by === 0 || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (value === "" && by === 1) {
      void begin(event.currentTarget);
      return true;
    }
    // Only while it stands there as it was brought back: in a text one works on, the arrows move the caret.
    const now = walk.current;
    const untouched = now !== undefined && value !== "" && value === now.texts[now.at];
    if (!untouched || selectionStart !== value.length || selectionEnd !== value.length) return false;
    if (now.at + by < now.texts.length) show({ ...now, at: now.at + by });
    return true;
  };
}
