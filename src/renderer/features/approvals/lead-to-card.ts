/** What a press does that may not decide yet: it brings what is missing onto the screen and says so. */
import type { ApprovalId } from "../../../shared/ids.ts";
import { type Refusal, rowOf } from "./decision-gate.ts";
import { makeCurrent, rearm, setNote, toggled, useQueue } from "./queue-store.ts";
import { drawnOf, firstUnread, isWhole } from "./read-gauge.ts";
import { strings } from "./strings.ts";

/**
 * Where the reading goes on stands this far below the upper edge, so that the last line before it is seen too, also
 * below the number of new cards.
 */
const marginPx = 48;

/** @param key of a card or a group. */
export function leadTo(key: string, refusal: Refusal): void {
  if (refusal === "gone" || refusal === "busy") return;
  if (refusal === "offScreen") {
    makeCurrent(key, true);
    bringIntoView(rowOf(key));
    rearm();
  }
  if (refusal === "unread") leadToUnread(key);
  setNote(key, strings.notes[refusal]);
}

/** Unfolds what is folded, draws more of what is long, and scrolls to what was not seen yet. */
function leadToUnread(key: string): void {
  const unread = firstUnread(key);
  const subject = drawnOf(key);
  if (unread) scrollTo(unread);
  else if (subject && !isWhole(key)) showMore(key, subject.element);
  makeCurrent(key);
  rearm();
}

function showMore(key: string, element: HTMLElement): void {
  const more = element.querySelector<HTMLButtonElement>("[data-show-more]");
  if (more) more.click();
  else useQueue.setState(({ folded }) => ({ folded: toggled(folded, key as ApprovalId, false) }));
  requestAnimationFrame(() => {
    const unread = firstUnread(key);
    if (unread) scrollTo(unread);
  });
}

function scrollTo(element: HTMLElement): void {
  element.style.scrollMarginTop = `${marginPx}px`;
  element.scrollIntoView({ block: "start" });
}

/** A row that fits is shown whole; of a taller one the beginning. */
export function bringIntoView(row: HTMLElement | null): void {
  if (!row) return;
  const room = row.closest("[data-scroll]")?.clientHeight ?? window.innerHeight;
  row.scrollIntoView({ block: row.offsetHeight > room ? "start" : "nearest" });
}
