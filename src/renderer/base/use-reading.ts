/** Reads something from the host, again when its key changes; what was there stays until the new one has come. */
import { useEffect, useRef, useState } from "react";
import { describeError } from "./words.ts";

type Reading<T> = { value?: T; problem?: string; busy: boolean; again: () => void };

/** @param settleMs how long a run of changes is waited out before it is read. */
export function useReading<T>(key: string, read: () => Promise<T>, settleMs = 0): Reading<T> {
  const [state, setState] = useState<{ value?: T; problem?: string; key?: string }>({});
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const wanted = `${key}:${attempt}`;
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(async () => {
      try {
        const value = await latest.current();
        if (!gone) setState({ value, key: wanted });
      } catch (error) {
        if (!gone) setState({ problem: describeError(error), key: wanted });
      }
    }, settleMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, settleMs]);
  return {
    value: state.value,
    problem: state.problem,
    busy: state.key !== wanted,
    again: () => setAttempt((count) => count + 1),
  };
}
