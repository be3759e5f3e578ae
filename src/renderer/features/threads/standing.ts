/** Where a thread stands for the person: whether it needs them, works, has finished unread or rests. Pure. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { isSnoozed } from "../../base/stores/waiting.ts";

export const sections = ["needs", "working", "finished", "idle"] as const;
export type Section = (typeof sections)[number];

/** What its shape says; each differs in outline, never by colour alone. */
export type StandingShape = "waits" | "failed" | "interrupted" | "works" | "finished" | "idle";

export type Standing = {
  thread: ThreadSummary;
  section: Section;
  shape: StandingShape;
  /** How many approvals wait for the person now, without the snoozed ones. */
  waits: number;
  /** What waits, oldest first, without the snoozed ones. */
  waiting: readonly Approval[];
  /** When the first snoozed approval comes back, while all that waits is snoozed. */
  snoozedUntil?: number;
};

const nothing: readonly Approval[] = [];
const known = new WeakMap<ThreadSummary, Standing>();

/**
 * Every thread's standing; one that is the same as last time is the same object, so that its row is not drawn again.
 * @param pending oldest first.
 */
export function standingsOf(
  threads: Iterable<ThreadSummary>,
  pending: readonly Approval[],
  now: number,
): Standing[] {
  const byThread = Map.groupBy(pending, (approval) => approval.threadId);
  return [...threads].map((thread) =>
    standingOf(thread, byThread.get(thread.id as ThreadId) ?? nothing, now),
  );
}

function standingOf(thread: ThreadSummary, pending: readonly Approval[], now: number): Standing {
  const waiting = pending.filter((approval) => !isSnoozed(approval, now));
  const snoozed = pending.length - waiting.length;
  const waits = Math.max(0, thread.waiting - snoozed);
  const until =
    snoozed > 0 && waits === 0 ? Math.min(...pending.map((one) => one.snoozedUntil ?? 0)) : undefined;
  const before = known.get(thread);
  if (before && before.waits === waits && before.snoozedUntil === until && isSame(before.waiting, waiting))
    return before;
  const shape = shapeOf(thread, waits);
  const standing: Standing = {
    thread,
    section: sectionOfShape[shape],
    shape,
    waits,
    waiting,
    ...(until !== undefined && { snoozedUntil: until }),
  };
  known.set(thread, standing);
  return standing;
}

function isSame(some: readonly Approval[], others: readonly Approval[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

const sectionOfShape: Record<StandingShape, Section> = {
  waits: "needs",
  failed: "needs",
  interrupted: "needs",
  works: "working",
  finished: "finished",
  idle: "idle",
};

function shapeOf({ status, unread, activity }: ThreadSummary, waits: number): StandingShape {
  if (waits > 0) return "waits";
  if (status === "failed" || status === "interrupted") return status;
  // What is left of a turn that waits is snoozed: it rests, unless something else goes on in it.
  if (status === "waiting") return activity ? "works" : "idle";
  if (status === "running" || status === "queued") return "works";
  return status === "done" && unread ? "finished" : "idle";
}

/** When it began to need the person, by what waits longest; else when it changed last, as a start of the host changes it. */
export function sinceOf({ waiting, thread }: Standing): number {
  return waiting[0]?.requestedAt ?? thread.updatedAt;
}
