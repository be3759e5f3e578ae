/** Waits for the grace of each decision, until which it can be taken back. */
import type { ApprovalId } from "../../shared/ids.ts";
import type { ApprovalRow } from "./approval-row.ts";

export type Graces = {
  /** Wakes what waits for the decision when its grace is over, at once if it is. */
  start(row: ApprovalRow): void;
  /** The decision was taken back. */
  drop(id: ApprovalId): void;
  close(): void;
};

const longestTimerMs = 60_000;

/** @param wake called once for each decision that was not dropped. */
export function createGraces(now: () => number, wake: (row: ApprovalRow) => void): Graces {
  const timers = new Map<ApprovalId, NodeJS.Timeout>();

  function start(row: ApprovalRow): void {
    timers.delete(row.id);
    const graceMs = (row.effectiveAt ?? 0) - now();
    // A timer may end a moment early, and the clock may be set meanwhile; then it is set for the rest.
    if (graceMs > 0) timers.set(row.id, setTimeout(start, Math.min(graceMs, longestTimerMs), row));
    else wake(row);
  }

  return {
    start,
    drop(id) {
      clearTimeout(timers.get(id));
      timers.delete(id);
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
