/** The log of a command that has ended, in its colours: read once its card is in view, and kept for when it comes back. */
import { useEffect, useState } from "react";
import { followExecution, type OutputState } from "./follow-execution.ts";

/** `lines` is of the whole log, of which `text` may leave out the middle. */
export type Log = { text: string; bytes: number; lines?: number };

const mostKept = 30;
/** A log does not change any more. The one that was read last stands last. */
const kept = new Map<string, Log>();

/** @returns `undefined` until it was read, for good where no log was kept. */
export function useLog(executionId: string | undefined): Log | undefined {
  const [read, setRead] = useState<{ executionId?: string; log?: Log }>({});
  useEffect(() => {
    if (executionId === undefined || kept.has(executionId)) return;
    const life = new AbortController();
    let text = "";
    const onOutput = (data: string, { restart, ended, bytes, lines }: OutputState) => {
      text = restart ? data : text + data;
      if (!ended || bytes === undefined) return;
      const log = { text, bytes, lines };
      keep(executionId, log);
      setRead({ executionId, log });
    };
    followExecution(executionId, { onOutput, onGone: () => {} }, life.signal);
    return () => life.abort();
  }, [executionId]);
  if (executionId === undefined) return undefined;
  return kept.get(executionId) ?? (read.executionId === executionId ? read.log : undefined);
}

function keep(executionId: string, log: Log): void {
  kept.set(executionId, log);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}
