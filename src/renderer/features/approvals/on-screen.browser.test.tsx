/** A card is on the screen when all of its subject is, or enough of it: on plain elements in a real page. */
import { describe, expect, it } from "vitest";
import { drawCard, queueByHand } from "../../testing/drawn-card.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isOnScreen } from "./decision-gate.ts";

queueByHand();

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
    drawCard(approval, lines).scrollTop = top;
    expect(isOnScreen("a")).toBe(expected);
  });

  it("when all of its subject is, however much of its row is not", () => {
    const box = drawCard(sampleApproval("a", "make"));
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

  it("when it fills half of the room by what stands below its subject, such as a form", () => {
    const box = drawCard(sampleApproval("a", "make"));
    const form = document.createElement("div");
    form.style.height = "600px";
    form.textContent = Array.from({ length: 30 }, (_, at) => `field ${at}`).join("\n");
    box.querySelector("[data-row]")?.append(form);
    box.scrollTop = 150;
    expect(isOnScreen("a")).toBe(true);
    box.scrollTop = 580;
    expect(isOnScreen("a")).toBe(false);
  });

  it("when it has no subject of its own, by the row alone", () => {
    const box = drawCard(sampleApproval("a", "make"));
    const group = document.createElement("div");
    group.dataset.row = "group";
    group.textContent = "2 of the same form";
    box.prepend(group);
    expect(isOnScreen("group")).toBe(true);
    box.scrollTop = 100;
    expect(isOnScreen("group")).toBe(false);
  });

  it("not when it is not drawn, or drawn as nothing", () => {
    expect(isOnScreen("a")).toBe(false);
    const box = drawCard(sampleApproval("a", "make"));
    (box.firstElementChild as HTMLElement).style.display = "none";
    expect(isOnScreen("a")).toBe(false);
  });
});
