/** The tour a person takes: which thread of the scripted demo asks, and what is to be tried on the request that waits. */
import { create } from "zustand";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ThreadStatus } from "../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../shared/ids.ts";

/** It lives as long as the window; the thread stays like any other. */
export const useTour = create<{ threadId?: ThreadId }>(() => ({}));

/** What the tour says: which key to try now, that the agent works, or that it is over. */
export type TourLine = "approve" | "undo" | "reject" | "hold" | "between" | "over";

const over: readonly ThreadStatus[] = ["done", "failed", "stopped", "interrupted"];

/** @param waiting the oldest request of the tour's thread. */
export function tourLine(waiting: Approval | undefined, status: ThreadStatus | undefined): TourLine {
  if (waiting?.risk === "high") return "hold";
  if (waiting)
    return waiting.tool === "write_file" ? "approve" : waiting.tool === "edit_file" ? "undo" : "reject";
  return status === undefined || over.includes(status) ? "over" : "between";
}
