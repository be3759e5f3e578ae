/** The draft in the message field with its caret: what is written, put in where the caret is, and taken away as a whole. */
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { ThreadId } from "../../../../shared/ids.ts";
import { draftOf, pastedOf, setDraft, useDrafts } from "../../../base/stores/drafts-store.ts";
import { markerOf } from "./long-text.ts";

/** @param onWrite is told of every change that is made here. */
export function useMessageText(
  threadId: ThreadId,
  field: RefObject<HTMLTextAreaElement | null>,
  onWrite: () => void,
) {
  const text = useDrafts((drafts) => drafts[threadId] ?? "");
  const [caret, setCaret] = useState(text.length);
  const caretAfter = useRef<number>(undefined);

  // What was put in moves the caret behind it, once the field has the new text.
  useLayoutEffect(() => {
    if (caretAfter.current === undefined || !field.current) return;
    field.current.setSelectionRange(caretAfter.current, caretAfter.current);
    setCaret(caretAfter.current);
    caretAfter.current = undefined;
  });

  /** What the person typed: the field has moved the caret already. */
  function type(next: string, nextCaret: number) {
    setCaret(nextCaret);
    onWrite();
    setDraft(threadId, next);
  }
  /** What comes from elsewhere. The caret goes behind it, or to `nextCaret`. */
  function write(next: string, nextCaret = next.length) {
    caretAfter.current = nextCaret;
    type(next, nextCaret);
  }
  const selection = () => {
    const { selectionStart: from = 0, selectionEnd: to = 0 } = field.current ?? {};
    return { from, to };
  };
  /** Puts words where the caret is by now; files take a moment to be read. */
  function put(words: string) {
    const { from, to } = selection();
    const now = draftOf(threadId);
    write(now.slice(0, from) + words + now.slice(to), from + words.length);
  }
  /** The name of a long text goes as a whole. @returns whether one ends at the caret. */
  function removeMarker(): boolean {
    const { from, to } = selection();
    const marker = pastedOf(threadId)
      .map(markerOf)
      .find((one) => text.slice(0, to).endsWith(one));
    if (from !== to || marker === undefined) return false;
    const start = to - marker.length;
    write(text.slice(0, start) + text.slice(to), start);
    return true;
  }
  return { text, caret, setCaret, type, write, put, removeMarker };
}
