/** Paints what the find bar found in the rows that are drawn, again whenever rows come, go or change. */
import { type RefObject, useEffect } from "react";
import { useConversation } from "../conversation-context.ts";
import { useFind } from "./find-store.ts";
import { rangesIn } from "./match-ranges.ts";
import "./find.css";

const all = "find-match";
const first = "find-current";

export function usePaintedMatches(box: RefObject<HTMLElement | null>): void {
  const { threadId } = useConversation();
  const found = useFind((state) => (state.threadId === threadId ? state.found : undefined));
  const currentId = useFind((state) => state.found?.places[state.current]?.itemId);
  useEffect(() => {
    const root = box.current;
    if (!root || !found || found.places.length === 0 || !("highlights" in CSS)) return;
    const { ids, matcher } = found;
    const paint = () => paintIn(root, ids, currentId, matcher);
    let frame = 0;
    const schedule = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(paint);
    };
    const changes = new MutationObserver(schedule);
    changes.observe(root, { childList: true, characterData: true, subtree: true });
    paint();
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      for (const name of [all, first]) CSS.highlights.delete(name);
    };
  }, [box, found, currentId]);
}

/** The first match of the current item stands out from all others. */
function paintIn(
  root: HTMLElement,
  ids: ReadonlySet<string>,
  currentId: string | undefined,
  matcher: RegExp,
) {
  const others: Range[] = [];
  let current: Range | undefined;
  for (const element of root.querySelectorAll<HTMLElement>("[data-item]")) {
    const id = element.dataset.item ?? "";
    if (!ids.has(id)) continue;
    const ranges = rangesIn(element, matcher);
    if (id === currentId) current = ranges.shift();
    others.push(...ranges);
  }
  CSS.highlights.set(all, new Highlight(...others));
  CSS.highlights.set(first, new Highlight(...(current ? [current] : [])));
}
