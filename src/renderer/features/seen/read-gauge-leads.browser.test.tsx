/** Where the reading goes on, and how long a press waits for a glance that is missing. */
import { expect, it, onTestFinished, vi } from "vitest";
import { aGlance, drawSubject, fold, gaugeByHand, lines, lookFor } from "../../testing/drawn-subject.ts";
import { firstUnread, forgetReadings, untilRead } from "./read-gauge.ts";

gaugeByHand();

it("what is drawn in another size leads to its beginning again", () => {
  const { box, element, follow } = drawSubject(["word ".repeat(300)]);
  element.style.width = "300px";
  follow("1");
  lookFor(aGlance);
  expect(firstUnread("a")?.below).toBeGreaterThan(0);
  element.style.width = "150px";
  box.scrollTop = 0;
  expect(firstUnread("a")?.below).toBe(0);
});

it("leads to the first of its pieces that was not seen, and nowhere once all were", () => {
  const { box, element, follow } = drawSubject([lines(4), lines(12), lines(12), lines(4)]);
  const at = () => firstUnread("a")?.piece.dataset.piece;
  expect(at()).toBeUndefined();
  follow("1");
  expect(at()).toBe("0");
  lookFor(aGlance);
  expect(at()).toBe("1");
  // The end of it was seen, which leads back to what was passed over.
  box.scrollTop = box.scrollHeight;
  lookFor(aGlance);
  expect(at()).toBe("1");
  for (const top of [80, 200, 320, 440]) {
    box.scrollTop = top;
    lookFor(aGlance);
  }
  expect(at()).toBeUndefined();
  forgetReadings(["a"]);
  expect(at()).toBe("0");
  element.replaceChildren();
  expect(at()).toBeUndefined();
});

it("waits for no more than what is missing of it, and not for ever on a page that nobody sees", async () => {
  const { box, follow } = drawSubject([lines(10), lines(4)]);
  follow("1");
  lookFor(aGlance);
  box.scrollTop = 80;
  const asked = untilRead("a", "1");
  await vi.advanceTimersByTimeAsync(aGlance);
  expect(await asked).toBe(true);
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  onTestFinished(() => void vi.restoreAllMocks());
  forgetReadings(["a"]);
  follow("2");
  box.scrollTop = 0;
  const short = drawSubject([lines(2)]);
  short.follow("3");
  const hidden = untilRead("a", "3");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await hidden).toBe(false);
});

it("waits for a glance that is all that is missing, and for nothing else", async () => {
  const short = drawSubject([lines(4)]);
  short.follow("1");
  const asked = untilRead("a", "1");
  await vi.advanceTimersByTimeAsync(aGlance);
  expect(await asked).toBe(true);
  // No time goes by for these: a line is out of view, a whole piece of it is, or something is folded.
  for (const [digest, pieces] of [
    ["2", [lines(40)]],
    ["3", [lines(2), lines(40)]],
    ["4", [lines(4)]],
  ] as const) {
    const { element, follow } = drawSubject(pieces);
    if (digest === "4") fold(element);
    const stop = follow(digest);
    expect(await untilRead("a", digest)).toBe(false);
    stop();
  }
  expect(await untilRead("a", "5")).toBe(false);
});
