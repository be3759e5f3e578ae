/** The standings of all threads, computed once for everything that shows them. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useNow } from "../../base/clock.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { type Standing, standingsOf } from "./standing.ts";

type Threads = ReturnType<typeof useThreads.getState>["byId"];
let last: { threads: Threads; pending: readonly Approval[]; now: number; standings: readonly Standing[] };

function standingsAt(threads: Threads, pending: readonly Approval[], now: number): readonly Standing[] {
  if (last?.threads !== threads || last.pending !== pending || last.now !== now)
    last = { threads, pending, now, standings: standingsOf(threads.values(), pending, now) };
  return last.standings;
}

/** Archived threads are among them. */
export function useStandings(): readonly Standing[] {
  const threads = useThreads((state) => state.byId);
  const pending = useApprovals((state) => state.pending);
  // What is snoozed comes back by itself.
  return standingsAt(threads, pending, useNow(30_000));
}

/** The same for a key, which is pressed at no time of drawing. */
export function standingsNow(): readonly Standing[] {
  return standingsOf(useThreads.getState().byId.values(), useApprovals.getState().pending, Date.now());
}
