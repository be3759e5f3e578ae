/** Locks what a dialog does until all that it does was on the screen to its end, as a card is locked. */
import { useEffect, useRef, useState } from "react";
import { lookMs } from "../../base/pointer-aim.ts";
import { firstUnread, forgetReadings, isRead, untilRead, useRead } from "./read-gauge.ts";
import { manyKey } from "./read-list.tsx";
import { listenTo } from "./read-progress.ts";

/** Something that is followed by the gauge, and the content with which it would be used now. */
type ToRead = { key: string; digest: string };

/**
 * Whether all of it was read, and what acts only then: before that it leads to what was not seen.
 * @param subjects what the dialog uses; of an empty text there is nothing to see, so it is left out.
 */
export function useOnceRead(subjects: readonly ToRead[]) {
  const read = useRead((state) => subjects.every(({ key, digest }) => state.read.get(key) === digest));
  const acting = useRef(false);
  const keys = useRef<readonly string[]>([]);
  keys.current = subjects.map(({ key }) => key);
  useEffect(() => () => forgetReadings(keys.current), []);
  // A press while another one waits for a glance, or for its answer, is that one.
  const onceRead = async (act: () => void | Promise<void>) => {
    if (acting.current) return;
    acting.current = true;
    try {
      for (const { key, digest } of subjects) await untilRead(key, digest);
      const unread = subjects.find(({ key, digest }) => !isRead(key, digest));
      if (unread) {
        listenTo(unread.key);
        scrollToUnread(unread.key);
      } else await act();
    } finally {
      acting.current = false;
    }
  };
  return { read, onceRead };
}

/** The same for the one list of a dialog. Right after it changed it is locked: a press is meant for what it was before. */
export function useReadList(digest: string) {
  const { read, onceRead } = useOnceRead([{ key: manyKey, digest }]);
  const [drawn, setDrawn] = useState({ digest, settled: true });
  // Without a digest there was nothing to press yet.
  if (drawn.digest !== digest) setDrawn({ digest, settled: drawn.digest === "" });
  useEffect(() => {
    if (drawn.settled) return;
    const timeout = setTimeout(() => setDrawn({ ...drawn, settled: true }), lookMs);
    return () => clearTimeout(timeout);
  }, [drawn]);
  const onceMeant = async (act: () => void | Promise<void>) => {
    if (drawn.settled) await onceRead(act);
  };
  return { read: read && drawn.settled, onceRead: onceMeant };
}

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
