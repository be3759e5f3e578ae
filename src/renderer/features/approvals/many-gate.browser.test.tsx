/** Which of many may be decided together, each by itself and the list as a whole. */
import { describe, expect, it } from "vitest";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { drawCard, look, queueByHand, readyCard, wait } from "../../testing/drawn-card.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { manyKey } from "../seen/read-list.tsx";
import { digestOfMany, mayDecideAmongMany, whichOfMany } from "./decision-gate.ts";

const stale = { kind: "file", operation: "edit", path: "a.ts", added: 1, removed: 1, stale: true };

queueByHand();

describe("one of many", () => {
  it("takes part where its line tells all of it", () => {
    expect(mayDecideAmongMany(readyCard(), "approve")).toBeUndefined();
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

  it("takes part where its own card was read to its end, as it is", () => {
    const approval = readyCard({ subject: file });
    expect(mayDecideAmongMany(approval, "approve")).toBeUndefined();
    const redrawn = { ...approval, digest: "other" as Approval["digest"] };
    wait(redrawn);
    expect(mayDecideAmongMany(redrawn, "approve")).toBe("unread");
  });

  it("stays out when it is gone or changed", () => {
    const approval = readyCard();
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
    drawCard({
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
