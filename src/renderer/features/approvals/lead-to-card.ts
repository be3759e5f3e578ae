/** What a press does that may not decide yet: it brings what is missing onto the screen and says so. */
import { flushSync } from "react-dom";
import type { ApprovalId } from "../../../shared/ids.ts";
import { uncover } from "../../base/stores/side-store.ts";
import { showToast } from "../../ui/toast.tsx";
import { drawnOf, firstUnread, isWaived, isWhole } from "../seen/read-gauge.ts";
import { scrollToUnread } from "../seen/use-once-read.ts";
import { writtenKeys } from "./card-form-name.ts";
import { isOnScreen, type Refusal, rowOf } from "./decision-gate.ts";
import { makeCurrent, openCard, rearm, setNote, toggled, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

/** @param key of a card or a group. */
export function leadTo(key: string, refusal: Refusal): void {
  if (refusal === "gone") {
    showToast(strings.notes.gone);
    return;
  }
  if (refusal === "unread") leadToUnread(key);
  const said = refusal === "offScreen" && !bringOntoScreen(key) ? "noRoom" : refusal;
  setNote(key, strings.notes[said], said === "busy" || said === "moved" || said === "arming");
}

/** @returns whether it is on the screen then; where it is drawn and is not, no press can bring it there. */
function bringOntoScreen(key: string): boolean {
  // What lies over the card is drawn away before it is measured: what the last press said, and the panel of its thread.
  flushSync(() => {
    uncover();
    setNote(key, undefined);
    openCard(key);
  });
  const row = rowOf(key);
  bringIntoView(row);
  rearm();
  return row === null || isOnScreen(key);
}

/** Leads from another view to the first card of the queue beside it. */
export function leadToPane(): void {
  const [key] = useQueue.getState().order;
  if (key === undefined) return;
  leadTo(key, "offScreen");
  setNote(key, strings.notes.beside);
}

function leadToUnread(key: string): void {
  showUnread(key);
  makeCurrent(key);
  rearm();
}

/** Unfolds what is folded, draws more of what is long, and scrolls to what was not seen yet, on the card or in its form. */
export function showUnread(key: string): void {
  const written = writtenKeys(key as ApprovalId).find((one) => firstUnread(one) !== undefined);
  const subject = drawnOf(key);
  if (firstUnread(key)) scrollToUnread(key);
  else if (subject && !isWhole(key)) showMore(key, subject.element);
  else if (written !== undefined) scrollToUnread(written);
}

function showMore(key: string, element: HTMLElement): void {
  const more = [...element.querySelectorAll<HTMLButtonElement>("[data-show-more]")].find(
    (one) => !isWaived(key, one),
  );
  if (more) more.click();
  else useQueue.setState(({ folded }) => ({ folded: toggled(folded, key as ApprovalId, false) }));
  requestAnimationFrame(() => scrollToUnread(key));
}

/** A row that fits is shown whole; of a taller one the beginning. */
export function bringIntoView(row: HTMLElement | null): void {
  if (!row) return;
  const room = row.closest("[data-scroll]")?.clientHeight ?? window.innerHeight;
  row.scrollIntoView({ block: row.offsetHeight > room ? "start" : "nearest" });
}
