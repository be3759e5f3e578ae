/** Reads something from the host when a view opens, again when its key changes or when asked to. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Input, Output, ProcedureName } from "../../shared/contract/contract.ts";
import { client } from "./client.ts";
import { describeError } from "./words.ts";

type Reading<T> = {
  /** What the last try brought; while the next one is on its way that may be of an earlier key. */
  value?: T;
  /** What the last try brought that did not fail. */
  lastGood?: T;
  /** Why the last try failed. */
  problem?: string;
  /** There is no answer for this key yet, or none since it was asked again. */
  busy: boolean;
  reload: () => void;
};

/**
 * @param key what is asked for; nothing is read without one.
 * @param settleMs how long a run of changes is waited out before it is read.
 */
export function useReading<T>(key: string | undefined, read: () => Promise<T>, settleMs = 0): Reading<T> {
  const [state, setState] = useState<Omit<Reading<T>, "busy" | "reload"> & { key?: string }>({});
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const wanted = key === undefined ? undefined : `${key}:${attempt}`;
  useEffect(() => {
    if (wanted === undefined) return;
    let gone = false;
    const timer = setTimeout(async () => {
      try {
        const value = await latest.current();
        if (!gone) setState({ value, lastGood: value, key: wanted });
      } catch (error) {
        if (!gone) setState(({ lastGood }) => ({ lastGood, problem: describeError(error), key: wanted }));
      }
    }, settleMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, settleMs]);
  const { key: answered, ...answer } = state;
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  return { ...answer, busy: wanted !== undefined && answered !== wanted, reload };
}

/** The procedures that ask for nothing more. */
type Question = { [K in ProcedureName]: Record<never, never> extends Input<K> ? K : never }[ProcedureName];

/** Asks once as a view opens. @returns the last good answer stays while a new one is on its way; `problem` when the last try failed. */
export function useAnswer<K extends Question>(
  name: K,
): { value?: Output<K>; problem?: string; reload: () => void } {
  const { lastGood, problem, reload } = useReading<Output<K>>(name, () => client().call(name, {} as never));
  return { value: lastGood, problem, reload };
}

/** Reads again when the person comes back to the window: meanwhile they may have edited a file by hand. */
export function useReloadOnReturn(reload: () => void): void {
  useEffect(() => {
    window.addEventListener("focus", reload);
    return () => window.removeEventListener("focus", reload);
  }, [reload]);
}
