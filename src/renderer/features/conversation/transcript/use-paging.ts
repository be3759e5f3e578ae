/** Reads further pages as the person comes near either end of what is loaded. */
import { useLayoutEffect, useRef } from "react";
import { describeError } from "../../../base/words.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { useConversation } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { shownPart } from "./transcript-store.ts";
import { loadNewer, loadOlder } from "./transcript-window.ts";

const nearPx = 600;

/** @returns `prepending`, which holds for the render in which older rows come in, and what to call with the room left. */
export function usePaging(rows: readonly string[]) {
  const { store, threadId } = useConversation();
  const busy = useRef(false);
  const known = useRef(rows);
  const prepending =
    rows.length > known.current.length &&
    rows[0] !== known.current[0] &&
    rows.at(-known.current.length) === known.current[0];
  useLayoutEffect(() => {
    known.current = rows;
  }, [rows]);

  async function read(load: typeof loadOlder) {
    busy.current = true;
    try {
      await load(store, threadId);
    } catch (error) {
      showProblem(strings.failedToOpen, describeError(error));
    } finally {
      busy.current = false;
    }
  }
  /** @param abovePx and `belowPx`: how much is loaded above and below what is in view. */
  function onNear(abovePx: number, belowPx: number) {
    const state = store.getState();
    if (busy.current) return;
    if (abovePx < nearPx && shownPart(state).hasMore) void read(loadOlder);
    else if (belowPx < nearPx && state.window) void read(loadNewer);
  }
  return { onNear, prepending };
}
