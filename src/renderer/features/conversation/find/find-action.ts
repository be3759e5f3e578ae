/** Opens the find bar from where the person is: with what they selected, and beginning at what they see. */
import type { ThreadId } from "../../../../shared/ids.ts";
import { shownPart, type TranscriptStore } from "../transcript/transcript-store.ts";
import { openFind } from "./find-store.ts";

const longestQuery = 200;

/** @param log the element that shows the transcript. */
export function findFromHere(threadId: ThreadId, store: TranscriptStore, log: Element | null): void {
  openFind(threadId, log ? positionInView(store, log) : 0, log ? selectedIn(log) : "");
}

/** Whether keys may open it: not while a dialog asks for something else. */
export function canFind(): boolean {
  return document.querySelector('[role="dialog"],[role="alertdialog"]') === null;
}

function positionInView(store: TranscriptStore, log: Element): number {
  const { items } = shownPart(store.getState());
  const { top } = log.getBoundingClientRect();
  for (const row of log.querySelectorAll<HTMLElement>("[data-item]")) {
    const item = items.get(row.dataset.item ?? "");
    const place = row.getBoundingClientRect();
    if (item && place.height > 0 && place.bottom > top) return item.position;
  }
  return Number.MAX_SAFE_INTEGER;
}

/** One line that is selected in the transcript is most likely what is sought. */
function selectedIn(log: Element): string {
  const selection = getSelection();
  const text = selection?.toString().trim() ?? "";
  const isHere = selection?.anchorNode && log.contains(selection.anchorNode);
  return isHere && !text.includes("\n") && text.length <= longestQuery ? text : "";
}
