/** The message field itself: the draft, files by `@`, commands by `/`, files and long texts by paste and drop. */
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { MessageCommand } from "../../../../shared/contract/agents.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { draftOf, pastedOf, setDraft, useDrafts } from "../../../base/stores/drafts-store.ts";
import { focusCurrentCard } from "../../approvals/queue-store.ts";
import { strings } from "../strings.ts";
import { attachFiles, holdText } from "./attach-files.ts";
import { attach } from "./attachments-store.ts";
import { isLong, longestMessageChars, markerOf } from "./long-text.ts";
import { putOwnCommand, takesWords } from "./own-commands.ts";
import { useSentHistory } from "./sent-history.ts";
import { SuggestionList } from "./suggestion-list.tsx";
import { findTrigger } from "./suggestion-trigger.ts";
import { type Suggestion, useSuggestions } from "./use-suggestions.ts";

type MessageFieldProps = {
  threadId: ThreadId;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
};

export function MessageField({ threadId, field, onSend }: MessageFieldProps) {
  const listId = useId();
  const text = useDrafts((drafts) => drafts[threadId] ?? "");
  const [caret, setCaret] = useState(text.length);
  const [dismissed, setDismissed] = useState<string>();
  const [marked, setMarked] = useState(0);
  const caretAfter = useRef<number>(undefined);
  const trigger = dismissed === text ? undefined : findTrigger(text, caret);
  const found = useSuggestions(threadId, trigger);
  const { suggestions } = found;
  const at = Math.min(marked, suggestions.length - 1);

  // A suggestion that was put in moves the caret behind it, once the field has the new text.
  useLayoutEffect(() => {
    if (caretAfter.current === undefined || !field.current) return;
    field.current.setSelectionRange(caretAfter.current, caretAfter.current);
    setCaret(caretAfter.current);
    caretAfter.current = undefined;
  });

  function write(next: string, nextCaret: number) {
    setCaret(nextCaret);
    setMarked(0);
    setDraft(threadId, next);
  }
  const onHistoryKey = useSentHistory(threadId, (next) => {
    caretAfter.current = next.length;
    write(next, next.length);
    // A text that begins like a command or ends like a mention opens no list before somebody types in it.
    setDismissed(next);
  });
  function choose(suggestion: Suggestion) {
    if (!trigger) return;
    if (suggestion.kind === "own") return chooseOwn(suggestion.command, text.slice(trigger.to).trim());
    const put = suggestion.kind === "file" ? `@${suggestion.path} ` : `/${suggestion.command.name} `;
    if (suggestion.kind === "file") attach(threadId, [{ kind: "file", path: suggestion.path }]);
    caretAfter.current = trigger.from + put.length;
    write(text.slice(0, trigger.from) + put + text.slice(trigger.to).trimStart(), caretAfter.current);
    if (suggestion.kind === "command" && !suggestion.command.takesText) onSend();
  }
  function chooseOwn(command: MessageCommand, rest: string) {
    const waits = rest === "" && takesWords(command);
    if (waits) setDraft(threadId, `/${command.name} `);
    else putOwnCommand(threadId, command, rest);
    const next = draftOf(threadId);
    caretAfter.current = next.length;
    write(next, next.length);
    if (!waits) setDismissed(next);
  }
  /** Puts words where the caret is by now; files take a moment to be read. */
  function put(words: string) {
    const { selectionStart: from = 0, selectionEnd: to = 0 } = field.current ?? {};
    const now = draftOf(threadId);
    caretAfter.current = from + words.length;
    write(now.slice(0, from) + words + now.slice(to), caretAfter.current);
  }
  /** The name of a long text goes as a whole. @returns whether one ends at the caret. */
  function removeMarker(): boolean {
    const { selectionStart: from = 0, selectionEnd: to = 0 } = field.current ?? {};
    const marker = pastedOf(threadId)
      .map(markerOf)
      .find((one) => text.slice(0, to).endsWith(one));
    if (from !== to || marker === undefined) return false;
    caretAfter.current = to - marker.length;
    write(text.slice(0, caretAfter.current) + text.slice(to), caretAfter.current);
    return true;
  }
  /** Short text is left to the field; long text and files stand as chips above it. */
  function take(event: ClipboardEvent | DragEvent, data: DataTransfer) {
    const pasted = data.getData("text/plain");
    if (data.files.length > 0) void attachFiles(threadId, [...data.files], put);
    else if (isLong(pasted)) holdText(threadId, "", pasted, put);
    else return;
    event.preventDefault();
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const chosen = suggestions[at];
    if (trigger && chosen && takesKey(event)) {
      event.preventDefault();
      if (event.key === "ArrowDown") setMarked((at + 1) % suggestions.length);
      else if (event.key === "ArrowUp") setMarked((at - 1 + suggestions.length) % suggestions.length);
      else if (event.key === "Escape") setDismissed(text);
      else choose(chosen);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      onSend();
    } else if (event.key === "Backspace" && removeMarker()) event.preventDefault();
    else if (onHistoryKey(event) || (event.key === "Escape" && leave())) event.preventDefault();
  }
  return (
    <>
      {trigger && <SuggestionList id={listId} kind={trigger.kind} marked={at} onChoose={choose} {...found} />}
      <textarea
        ref={field}
        aria-label={strings.message}
        aria-autocomplete="list"
        aria-controls={trigger && suggestions.length > 0 ? listId : undefined}
        aria-activedescendant={trigger && suggestions.length > 0 ? `${listId}-${at}` : undefined}
        placeholder={strings.placeholder}
        value={text}
        rows={1}
        maxLength={longestMessageChars}
        onChange={({ target }) => write(target.value, target.selectionEnd)}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionEnd)}
        onKeyDown={onKeyDown}
        onPaste={(event) => take(event, event.clipboardData)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => take(event, event.dataTransfer)}
        className="field-sizing-content max-h-56 min-h-7 w-full resize-none bg-transparent px-1.5 py-1 outline-none"
      />
    </>
  );
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
