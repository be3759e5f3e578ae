/** Scrolls to where the reading goes on. */
import { firstUnread } from "./read-gauge.ts";

/**
 * Where the reading goes on stands this far below the upper edge, so that the last line before it is seen too, also
 * below the number of new cards.
 */
const marginPx = 48;

/** Also to the middle of a piece that is longer than the room for it. */
export function scrollToUnread(key: string): void {
  const unread = firstUnread(key);
  if (!unread) return;
  unread.piece.style.scrollMarginTop = `${marginPx - unread.below}px`;
  unread.piece.scrollIntoView({ block: "start" });
}
