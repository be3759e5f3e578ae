/** How much waits for the person now: one number for every badge, title and announcement, without what is snoozed. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useNow } from "../clock.ts";
import { useApprovals } from "./approvals-store.ts";

/** How often a number that is shown looks whether a snooze has ended. */
export const snoozeLookMs = 10_000;

export function isSnoozed({ snoozedUntil }: Pick<Approval, "snoozedUntil">, nowMs: number): boolean {
  return snoozedUntil !== undefined && snoozedUntil > nowMs;
}

export function countWaiting(pending: readonly Approval[], nowMs: number): number {
  return pending.filter((approval) => !isSnoozed(approval, nowMs)).length;
}

/** How many requests wait for the person now. */
export function useWaitingCount(): number {
  const now = useNow(snoozeLookMs);
  return useApprovals(({ pending }) => countWaiting(pending, now));
}
