/** What is recorded of a reading: whether all of it was seen, and for how long it was in view. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { aGlance, drawSubject, gaugeByHand, lines, lookFor, read } from "../../testing/drawn-subject.ts";
import { forgetReadings, lookForRead, waiveReading, wasSeenInFull } from "./read-gauge.ts";
import { viewedMs } from "./viewing-time.ts";

gaugeByHand();

describe("what is recorded of it", () => {
  it("is that all of it was seen, which taking it as read does not make true", () => {
    const long = drawSubject([lines(30)]);
    long.follow("1");
    waiveReading("a", "1", long.element);
    expect([read("1"), wasSeenInFull("a", "1")]).toEqual([true, false]);
    for (const top of [0, 150, 300, 450]) {
      long.box.scrollTop = top;
      lookFor(aGlance);
    }
    expect([wasSeenInFull("a", "1"), wasSeenInFull("a", "2")]).toEqual([true, false]);
    forgetReadings(["a"]);
    expect(wasSeenInFull("a", "1")).toBe(false);
  });

  it("is how long it was in view on a visible page, and of other content nothing", () => {
    const { element, follow } = drawSubject([lines(2)]);
    const show = (state: DocumentVisibilityState) => {
      vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
      document.dispatchEvent(new Event("visibilitychange"));
    };
    onTestFinished(() => void vi.restoreAllMocks());
    const stop = follow("1");
    lookFor(aGlance);
    const before = viewedMs("a", "1");
    lookFor(1_000);
    expect(viewedMs("a", "1")).toBe(before + 1_000);

    show("hidden");
    lookFor(9_000);
    expect(viewedMs("a", "1")).toBe(before + 1_000);
    show("visible");
    lookFor(500);
    expect(viewedMs("a", "1")).toBe(before + 1_500);

    element.style.marginTop = "5000px";
    lookFor(aGlance);
    const gone = viewedMs("a", "1");
    lookFor(7_000);
    expect(viewedMs("a", "1")).toBe(gone);
    element.style.marginTop = "";
    stop();
    lookFor(3_000);
    follow("1");
    lookFor(aGlance);
    expect(viewedMs("a", "1")).toBeGreaterThan(gone);
    expect(viewedMs("a", "1")).toBeLessThanOrEqual(gone + aGlance);
    follow("2");
    lookFor(aGlance);
    expect(viewedMs("a", "1")).toBe(0);
    expect(viewedMs("a", "2")).toBeGreaterThan(0);
  });
});

it("counts no time from the moment at which nobody sees the page, however late it looks again", () => {
  drawSubject([lines(2)]).follow("1");
  lookFor(aGlance);
  lookForRead();
  vi.advanceTimersByTime(1);
  const before = viewedMs("a", "1");
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  onTestFinished(() => void vi.restoreAllMocks());
  document.dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(5_000);
  expect(viewedMs("a", "1")).toBe(before);
});
