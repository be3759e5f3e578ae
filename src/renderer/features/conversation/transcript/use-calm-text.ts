/** Slows down how often a long text that grows is drawn, since reading it as markdown costs by its length. */
import { useEffect, useRef, useState } from "react";

/** A text of 3,000 characters is drawn every 100 ms, a short one as it comes. */
const msPerCharacter = 1 / 30;
const longestPauseMs = 500;
const shortText = 500;

/** @returns `text`, late by half a second at most. */
export function useCalmText(text: string): string {
  const [shown, setShown] = useState(text);
  const drawnAt = useRef(0);
  const latest = useRef(text);
  latest.current = text;
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (text === shown || pending.current !== undefined) return;
    const pauseMs = text.length < shortText ? 0 : Math.min(longestPauseMs, text.length * msPerCharacter);
    const waitMs = Math.max(0, drawnAt.current + pauseMs - performance.now());
    pending.current = setTimeout(() => {
      pending.current = undefined;
      drawnAt.current = performance.now();
      setShown(latest.current);
    }, waitMs);
  }, [text, shown]);
  useEffect(
    () => () => {
      clearTimeout(pending.current);
      pending.current = undefined;
    },
    [],
  );
  return shown;
}
