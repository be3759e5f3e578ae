/** Each reason for which a decision may not act yet, alone: on plain elements in a real page, with time told by hand. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { followReading, lookForRead, startReadGauge } from "../seen/read-gauge.ts";
import { manyKey } from "../seen/read-list.tsx";
import {
  digestOfMany,
  isOnScreen,
  mayAct,
  mayDecide,
  mayDecideAmongMany,
  type Press,
  whichOfMany,
} from "./decision-gate.ts";
import { armingMs, rearm, toggled, useQueue } from "./queue-store.ts";

const key: Press = { by: "key" };
const pointer: Press = { by: "pointer", aimed: true };
const stale = { kind: "file", operation: "edit", path: "a.ts", added: 1, removed: 1, stale: true };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(startReadGauge());
  useQueue.setState(useQueue.getInitialState(), true);
  rearm();
});

const wait = (approval: Approval) => useApprovals.getState().replace([approval]);

/** Draws the card of an approval, `lines` long, in a box of 300 pixels. @returns the box. */
function draw({ id, digest }: Approval, lines = 4): HTMLElement {
  const box = document.body.appendChild(document.createElement("div"));
  box.style.cssText =
    "position:fixed;top:0;left:0;width:400px;height:300px;overflow:auto;font:14px/20px monospace;white-space:pre";
  const row = box.appendChild(document.createElement("div"));
  row.dataset.row = id;
  const subject = row.appendChild(document.createElement("div"));
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

function look(ms = Math.max(armingMs, 300)): void {
  lookForRead();
  vi.advanceTimersByTime(ms);
}

/** A card that was read to its end and takes keys. */
function ready(change: Record<string, unknown> = {}): Approval {
  const approval = sampleApproval("a", "make", change);
  wait(approval);
  draw(approval);
  look();
  return approval;
}

describe("one decision", () => {
  it("acts by key and by pointer when nothing speaks against it", () => {
    const approval = ready();
    expect(mayDecide(approval, "approve", key)).toBeUndefined();
    expect(mayDecide(approval, "approve", pointer)).toBeUndefined();
    expect(mayDecide(approval, "reject", key)).toBeUndefined();
  });

  it("does not act on what is gone", () => {
    const approval = ready();
    useApprovals.getState().replace([]);
    expect(mayDecide(approval, "approve", key)).toBe("gone");
  });

  it("does not act where the card does not take it", () => {
    const approval = ready({ allowedDecisions: ["reject"] });
    expect(mayDecide(approval, "approve", key)).toBe("notAllowed");
  });

  it("does not act while the decision before is on its way", () => {
    const approval = ready();
    useQueue.setState(({ busy }) => ({ busy: toggled(busy, approval.id) }));
    expect(mayDecide(approval, "approve", key)).toBe("busy");
  });

  it("does not act on what was drawn otherwise when it was pressed", () => {
    const approval = ready();
    expect(mayDecide({ ...approval, digest: "older" as Approval["digest"] }, "approve", key)).toBe("changed");
  });

  it("does not start what is stale, and refuses it", () => {
    const approval = ready({ subject: stale });
    expect(mayDecide(approval, "approve", key)).toBe("stale");
    expect(mayDecide(approval, "reject", key)).toBeUndefined();
  });

  it("does not act on a card that is not on the screen", () => {
    const approval = ready();
    const [box] = document.body.querySelectorAll<HTMLElement>("[data-row]");
    box?.parentElement?.scrollTo(0, 400);
    expect(mayDecide(approval, "approve", key)).toBe("offScreen");
    expect(mayDecide(approval, "reject", key)).toBe("offScreen");
    expect(mayAct(approval.id)).toBe("offScreen");
  });

  it("starts only what was read to its end, and refuses without", () => {
    const approval = sampleApproval("a", "make");
    wait(approval);
    draw(approval, 40);
    look();
    for (const type of ["approve", "edit", "respond"] as const)
      expect(mayDecide(approval, type, key)).toBe("unread");
    expect(mayDecide(approval, "reject", key)).toBeUndefined();
  });

  it("takes no click on a button that slid under the pointer", () => {
    const approval = ready();
    expect(mayDecide(approval, "approve", { by: "pointer", aimed: false })).toBe("moved");
  });

  it("takes no key that may have been meant for the card before", () => {
    const approval = ready();
    rearm();
    expect(mayDecide(approval, "approve", key)).toBe("arming");
    expect([mayAct(approval.id), mayAct(approval.id, true)]).toEqual([undefined, "arming"]);
    vi.advanceTimersByTime(armingMs - 1);
    expect(mayDecide(approval, "approve", key)).toBe("arming");
    vi.advanceTimersByTime(1);
    expect(mayDecide(approval, "approve", key)).toBeUndefined();
  });
});

describe("a card is on the screen", () => {
  it.each([
    [4, 0, true],
    [4, 20, false],
    [4, 60, false],
    [40, 0, true],
    [40, 400, true],
    // Less than half of the room is filled by the end of it.
    [40, 700, false],
    [40, 2_000, false],
  ])("of %i lines, scrolled by %i pixels: %s", (lines, top, expected) => {
    const approval = sampleApproval("a", "make");
    draw(approval, lines).scrollTop = top;
    expect(isOnScreen("a")).toBe(expected);
  });

  it("when all of its subject is, however much of its row is not", () => {
    const box = draw(sampleApproval("a", "make"));
    const head = document.createElement("div");
    head.style.height = "400px";
    head.textContent = "The agent says much.";
    box.querySelector("[data-row]")?.prepend(head);
    box.scrollTop = 400;
    expect(isOnScreen("a")).toBe(true);
    box.scrollTop = 300;
    expect(isOnScreen("a")).toBe(true);
    box.scrollTop = 460;
    expect(isOnScreen("a")).toBe(false);
  });

  it("not when it is not drawn, or drawn as nothing", () => {
    expect(isOnScreen("a")).toBe(false);
    const box = draw(sampleApproval("a", "make"));
    (box.firstElementChild as HTMLElement).style.display = "none";
    expect(isOnScreen("a")).toBe(false);
  });
});

describe("one of many", () => {
  it("takes part where its line tells all of it", () => {
    expect(mayDecideAmongMany(ready(), "approve")).toBeUndefined();
  });

  const beyond = {
    verdict: {
      verdict: "ask",
      units: [{ text: "npm publish", verdict: "ask", reason: "It publishes.", class: "leaves" }],
    },
  };
  const file = { ...stale, stale: false };

  it.each([
    ["notAllowed", { allowedDecisions: ["respond"] }],
    ["beyond", beyond],
    ["highRisk", { risk: "high" }],
    ["stale", { subject: stale }],
    ["unread", { subject: file }],
    ["unread", { subject: { kind: "arguments" } }],
    ["unread", { leftOut: 5_000 }],
  ])("stays out as %s", (why, change) => {
    const approval = sampleApproval("a", "make", change);
    wait(approval);
    expect(mayDecideAmongMany(approval, "approve")).toBe(why);
  });

  it("stays out when it is gone or changed", () => {
    const approval = ready();
    expect(mayDecideAmongMany({ ...approval, digest: "older" as Approval["digest"] }, "approve")).toBe(
      "changed",
    );
    useApprovals.getState().replace([]);
    expect(mayDecideAmongMany(approval, "reject")).toBe("gone");
  });

  it("is refused without reading", () => {
    const approval = sampleApproval("a", "make", { ...beyond, risk: "high", subject: file });
    wait(approval);
    expect(mayDecideAmongMany(approval, "reject")).toBeUndefined();
  });

  it("counts only once the list of all was read, as it stands", () => {
    const approvals = ["a", "b"].map((id) => sampleApproval(id, `make ${id}`));
    useApprovals.getState().replace(approvals);
    expect(whichOfMany(approvals, "approve")).toEqual([]);
    draw({
      ...(approvals[0] as Approval),
      id: manyKey as Approval["id"],
      digest: digestOfMany(approvals) as Approval["digest"],
    });
    look();
    expect(whichOfMany(approvals, "approve")).toEqual(approvals);
    expect(whichOfMany(approvals.slice(1), "approve")).toEqual([]);
    const changed = { ...(approvals[0] as Approval), digest: "other" as Approval["digest"] };
    expect(whichOfMany([changed, approvals[1] as Approval], "approve")).toEqual([]);
    // Another card with the same content is another card.
    const twin = sampleApproval("c", "make a", { digest: approvals[0]?.digest });
    expect(whichOfMany([twin, approvals[1] as Approval], "approve")).toEqual([]);
    // One that must not be decided with others any more is left out of a list that was read.
    useApprovals
      .getState()
      .replace([{ ...(approvals[0] as Approval), risk: "high" }, approvals[1] as Approval]);
    expect(whichOfMany(approvals, "approve")).toEqual(approvals.slice(1));
  });

  it("takes part with an address, which its line tells as well", () => {
    const approval = sampleApproval("a", "", { subject: { kind: "url", url: "https://a.example/" } });
    wait(approval);
    expect(mayDecideAmongMany(approval, "approve")).toBeUndefined();
  });
});
