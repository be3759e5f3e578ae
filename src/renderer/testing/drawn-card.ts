/** Waiting cards on plain elements in a real page, for tests of what may be decided: their time is told by hand. */
import { beforeEach, onTestFinished, vi } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import { useApprovals } from "../base/stores/approvals-store.ts";
import { armingMs, rearm, useQueue } from "../features/approvals/queue-store.ts";
import { followReading, lookForRead, startReadGauge } from "../features/seen/read-gauge.ts";
import { sampleApproval } from "./samples.ts";

/** Has each test of a file begin with an empty queue that takes keys after its arming time. */
export function queueByHand(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    onTestFinished(startReadGauge());
    useQueue.setState(useQueue.getInitialState(), true);
    rearm();
  });
}

export const wait = (approval: Approval) => useApprovals.getState().replace([approval]);

/** Draws the card of an approval, `lines` long, in a box of 300 pixels. @returns the box. */
export function drawCard({ id, digest }: Approval, lines = 4): HTMLElement {
  const box = document.body.appendChild(document.createElement("div"));
  box.style.cssText =
    "position:fixed;top:0;left:0;width:400px;height:300px;overflow:auto;font:14px/20px monospace;white-space:pre";
  const row = box.appendChild(document.createElement("div"));
  row.dataset.row = id;
  const subject = row.appendChild(document.createElement("div"));
  subject.dataset.text = "";
  const piece = subject.appendChild(document.createElement("div"));
  piece.dataset.piece = "all";
  piece.textContent = Array.from({ length: lines }, (_, index) => `line ${index}`).join("\n");
  row.appendChild(document.createElement("p")).textContent = "Approve";
  const room = box.appendChild(document.createElement("div"));
  room.style.height = "2000px";
  onTestFinished(() => box.remove());
  onTestFinished(followReading({ key: id, digest, element: subject }));
  return box;
}

/** Lets a person look until what is in view is read and the card takes keys. */
export function look(): void {
  lookForRead();
  vi.advanceTimersByTime(Math.max(armingMs, 300));
}

/** A card that was read to its end and takes keys. */
export function readyCard(change: Record<string, unknown> = {}): Approval {
  const approval = sampleApproval("a", "make", change);
  wait(approval);
  drawCard(approval);
  look();
  return approval;
}
