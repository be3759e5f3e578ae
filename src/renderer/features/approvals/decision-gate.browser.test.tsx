/** Each reason for which a decision may not act yet, alone: on plain elements in a real page, with time told by hand. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { startPainted } from "../../base/painted.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { drawCard, look, queueByHand, readyCard, wait } from "../../testing/drawn-card.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { writtenKey } from "./card-form-name.ts";
import { mayAct, mayDecide, type Press, toRead } from "./decision-gate.ts";
import { armingMs, rearm, takeOrder, toggled, useQueue } from "./queue-store.ts";

const key: Press = { by: "key" };
const pointer: Press = { by: "pointer", aimed: true };
const stale = { kind: "file", operation: "edit", path: "a.ts", added: 1, removed: 1, stale: true };

queueByHand();

describe("one decision", () => {
  it("acts by key and by pointer when nothing speaks against it", () => {
    const approval = readyCard();
    expect(mayDecide(approval, "approve", key)).toBeUndefined();
    expect(mayDecide(approval, "approve", pointer)).toBeUndefined();
    expect(mayDecide(approval, "reject", key)).toBeUndefined();
  });

  it("does not act on what is gone", () => {
    const approval = readyCard();
    useApprovals.getState().replace([]);
    expect(mayDecide(approval, "approve", key)).toBe("gone");
  });

  it("does not act where the card does not take it", () => {
    const approval = readyCard({ allowedDecisions: ["reject"] });
    expect(mayDecide(approval, "approve", key)).toBe("notAllowed");
  });

  it("does not act while the decision before is on its way", () => {
    const approval = readyCard();
    useQueue.setState(({ busy }) => ({ busy: toggled(busy, approval.id) }));
    expect(mayDecide(approval, "approve", key)).toBe("busy");
  });

  it("does not act on what was drawn otherwise when it was pressed", () => {
    const approval = readyCard();
    expect(mayDecide({ ...approval, digest: "older" as Approval["digest"] }, "approve", key)).toBe("changed");
  });

  it("does not start what is stale, and refuses it", () => {
    const approval = readyCard({ subject: stale });
    expect(mayDecide(approval, "approve", key)).toBe("stale");
    expect(mayDecide(approval, "reject", key)).toBeUndefined();
  });

  it("does not act on a card that is not on the screen", () => {
    const approval = readyCard();
    const [box] = document.body.querySelectorAll<HTMLElement>("[data-row]");
    box?.parentElement?.scrollTo(0, 400);
    expect(mayDecide(approval, "approve", key)).toBe("offScreen");
    expect(mayDecide(approval, "reject", key)).toBe("offScreen");
    expect(mayAct(approval.id)).toBe("offScreen");
  });

  it("starts only what was read to its end, and refuses without", () => {
    const approval = sampleApproval("a", "make");
    wait(approval);
    drawCard(approval, 40);
    look();
    for (const type of ["approve", "edit", "respond"] as const)
      expect(mayDecide(approval, type, key)).toBe("unread");
    expect(mayDecide(approval, "reject", key)).toBeUndefined();
  });

  it("takes no click on a button that slid under the pointer", () => {
    const approval = readyCard();
    expect(mayDecide(approval, "approve", { by: "pointer", aimed: false })).toBe("moved");
  });

  it.each([
    ["the card was drawn anew", () => rearm()],
    ["another one left", () => takeOrder(["a"], new Map(), false)],
  ])("takes no press from before the page was painted since %s", async (_, change) => {
    onTestFinished(startPainted());
    takeOrder(["a", "b"], new Map(), false);
    const approval = readyCard();
    const press = () => window.dispatchEvent(new KeyboardEvent("keydown"));
    const answers = () => [key, pointer].map((by) => mayDecide(approval, "approve", by));
    await vi.waitFor(() => {
      press();
      vi.advanceTimersByTime(armingMs);
      expect(answers()).toEqual([undefined, undefined]);
    });
    change();
    press();
    vi.advanceTimersByTime(armingMs);
    expect([...answers(), mayAct(approval.id, true)]).toEqual(["arming", "moved", "arming"]);
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    vi.advanceTimersByTime(armingMs);
    // It is still the same press.
    expect(answers()).toEqual(["arming", "moved"]);
    press();
    expect(answers()).toEqual([undefined, undefined]);
  });

  it("takes no key that may have been meant for the card before", () => {
    const approval = readyCard();
    rearm();
    expect(mayDecide(approval, "approve", key)).toBe("arming");
    expect([mayAct(approval.id), mayAct(approval.id, true)]).toEqual([undefined, "arming"]);
    vi.advanceTimersByTime(armingMs - 1);
    expect(mayDecide(approval, "approve", key)).toBe("arming");
    vi.advanceTimersByTime(1);
    expect(mayDecide(approval, "approve", key)).toBeUndefined();
  });
});

describe("what is written in a form", () => {
  /** Draws the field of a form, as long as what is written in it. */
  const drawField = (key: string, digest: string) => {
    const field = drawCard({ ...sampleApproval("form", ""), id: key, digest } as Approval);
    field.style.top = "320px";
  };
  const written = "make other";

  it.each([
    ["edit", "edit"],
    ["respond", "respond"],
    ["reject", "reason"],
  ] as const)("is read before it is sent, in %s", (type, form) => {
    const approval = readyCard();
    expect(mayDecide(approval, type, key, written)).toBe("unread");
    drawField(writtenKey(approval.id, form), written);
    look();
    expect(mayDecide(approval, type, key, written)).toBeUndefined();
    expect(mayDecide(approval, type, key, `${written}!`)).toBe("unread");
    const card = { key: approval.id, digest: approval.digest };
    const sent = { key: writtenKey(approval.id, form), digest: written };
    expect(toRead(approval, type, written)).toEqual(type === "reject" ? [sent] : [card, sent]);
  });

  it("is nothing to read where it is blank, or nothing is sent", () => {
    const approval = readyCard();
    const card = { key: approval.id, digest: approval.digest };
    expect(toRead(approval, "approve", written)).toEqual([card]);
    for (const blank of [undefined, "", " \n"]) {
      expect(toRead(approval, "respond", blank)).toEqual([card]);
      expect(toRead(approval, "reject", blank)).toEqual([]);
    }
  });
});

describe("a key that opens something", () => {
  it("acts on a card that is there, and where it leads to a decision, once that takes keys", () => {
    const { id } = readyCard();
    expect([mayAct(id), mayAct(id, true)]).toEqual([undefined, undefined]);
    rearm();
    expect([mayAct(id), mayAct(id, true)]).toEqual([undefined, "arming"]);
    useQueue.setState(({ busy }) => ({ busy: toggled(busy, id) }));
    expect([mayAct(id), mayAct(id, true)]).toEqual(["busy", "busy"]);
  });
});
