/** Reading on in the card: a screenful further, or to what was not seen yet, and said aloud from there on. */
import { isRead } from "../seen/read-gauge.ts";
import { listenTo, useProgress } from "../seen/read-progress.ts";
import { showUnread } from "./lead-to-card.ts";
import { currentKey } from "./row-action.ts";

/** By the key: the eye goes on from where it is, and at the end of what is drawn more of it is. */
export function readOn(): void {
  const pane = document.querySelector("[data-card-scroll]");
  const isAtEnd = pane === null || pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 1;
  if (isAtEnd) readUnread();
  else {
    listen();
    pane.scrollBy(0, pane.clientHeight * 0.85);
  }
}

/** By the button: to what was not seen yet. */
export function readUnread(): void {
  const key = listen();
  if (key !== undefined) showUnread(key);
}

/** @returns the current row, while not all of it was on the screen. */
function listen(): string | undefined {
  const key = currentKey();
  const digest = key && useProgress.getState().byKey.get(key)?.digest;
  if (!key || !digest || isRead(key, digest)) return undefined;
  listenTo(key);
  return key;
}
