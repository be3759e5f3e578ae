/** Brings back what was sent: earlier and earlier by ArrowUp from an empty field, and back again by ArrowDown. */
import { type KeyboardEvent, useRef } from "react";
import type { ThreadId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { describeError } from "../../../base/words.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { strings } from "../strings.ts";

type Walk = { texts: readonly string[]; at: number };

/** @param write puts a text into the field, with the caret behind it. @returns a handler that says whether the key was its own. */
export function useSentHistory(
  threadId: ThreadId,
  write: (text: string) => void,
): (event: KeyboardEvent<HTMLTextAreaElement>) => boolean {
  const walk = useRef<Walk>(undefined);

  async function begin(field: HTMLTextAreaElement) {
    try {
      const { texts } = await client().call("drafts.history", { threadId });
      // Who went on writing meanwhile does not want it any more.
      if (field.value === "" && texts.length > 0) show({ texts, at: 0 });
    } catch (error) {
      showProblem(strings.historyFailed, describeError(error));
    }
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
