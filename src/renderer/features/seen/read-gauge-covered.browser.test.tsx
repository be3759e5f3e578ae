/** Lines that something lies over are not seen, whatever it is, and are once it is gone. */
import { describe, expect, it, vi } from "vitest";
import {
  aGlance,
  cover,
  drawSubject,
  gaugeByHand,
  lineHeight,
  lines,
  lookFor,
  read,
} from "../../testing/drawn-subject.ts";
import { firstUnread } from "./read-gauge.ts";

gaugeByHand();

/** The box stands at 20, 20 and is 400 by 200 pixels; nothing tells the gauge that it may be covered. */
const covers = [
  ["a message over the right half", { left: 220, top: 100, width: 300, height: 150 }],
  ["a bar along the lower edge", { left: 0, top: 200, width: 2_000, height: 40 }],
  ["a banner along the upper edge", { left: 0, top: 0, width: 2_000, height: 34 }],
  ["a menu in the middle", { left: 90, top: 90, width: 80, height: 60 }],
  ["a strip over the upper half of a line", { left: 0, top: 80, width: 900, height: 9 }],
  ["a strip over the lower half of a line", { left: 0, top: 91, width: 900, height: 9 }],
  ["a strip through the middle of a line", { left: 0, top: 87, width: 900, height: 6 }],
  ["a badge over one word", { left: 70, top: 121, width: 30, height: 18 }],
  ["a dialog over everything", { left: 0, top: 0, width: 2_000, height: 2_000 }],
] as const;

describe.each(covers)("under %s", (_, place) => {
  it.each([
    ["takes presses", "auto"],
    ["lets them through", "none"],
  ])("that %s the covered lines are not seen before it is gone", (_what, pointerEvents) => {
    const { follow } = drawSubject([lines(10, "make everything new")]);
    const over = cover(place);
    over.style.pointerEvents = pointerEvents;
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
    // It goes by itself: nothing scrolls, nothing changes its size.
    over.remove();
    vi.advanceTimersByTime(aGlance);
    expect(read()).toBe(true);
  });
});

it("sees what stands beside a message, and the rest once it came out from under it", () => {
  const { box, follow } = drawSubject([lines(14, "make everything new")]);
  cover({ left: 220, top: 160, width: 300, height: 150 });
  follow("1");
  lookFor(aGlance);
  expect(firstUnread("a")?.below).toBeCloseTo(7 * lineHeight, -1);
  box.scrollTop = 80;
  lookFor(aGlance);
  // The last lines have no room above the message.
  expect(firstUnread("a")?.below).toBeCloseTo(11 * lineHeight, -1);
  expect(read()).toBe(false);
});
