/** When the gauge looks: by itself at whatever changes, and at nothing once there is nothing more to see. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  aGlance,
  cover,
  drawSubject,
  gaugeByHand,
  lines,
  lookFor,
  nextFrames,
  read,
} from "../../testing/drawn-subject.ts";
import { forgetReadings, startReadGauge, waiveReading, wasRead } from "./read-gauge.ts";
import { viewedMs } from "./viewing-time.ts";

gaugeByHand();

describe("looks by itself", () => {
  it("once it is drawn, and at what came into it later, in a row that keeps its size", async () => {
    const { box, element, follow } = drawSubject([lines(4)]);
    box.dataset.row = "a";
    follow("1");
    await nextFrames();
    vi.advanceTimersByTime(aGlance);
    expect(read()).toBe(true);
    const late = element.appendChild(document.createElement("div"));
    late.dataset.unread = "";
    follow("2");
    await nextFrames();
    vi.advanceTimersByTime(aGlance);
    expect(read("2")).toBe(false);
    late.removeAttribute("data-unread");
    late.dataset.piece = "late";
    late.textContent = lines(2, "echo");
    await nextFrames();
    vi.advanceTimersByTime(aGlance);
    expect(read("2")).toBe(true);
  });

  it.each(["resize", "visibilitychange", "scroll"])("after a %s", async (event) => {
    const { element, follow } = drawSubject([lines(4)]);
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    onTestFinished(() => visibility.mockRestore());
    follow("1");
    await nextFrames();
    vi.advanceTimersByTime(aGlance);
    // On a page that nobody sees nothing is read.
    expect(read()).toBe(false);
    visibility.mockReturnValue("visible");
    (event === "scroll" ? element : window).dispatchEvent(new Event(event));
    vi.advanceTimersByTime(aGlance);
    expect(read()).toBe(true);
  });

  it("at nothing that has left, of which nothing is whole any more", () => {
    const { element, follow } = drawSubject([lines(4)]);
    const stop = follow("1");
    lookFor(aGlance);
    expect(read()).toBe(true);
    stop();
    expect([read(), wasRead("a", "1")]).toEqual([false, true]);
    follow("2");
    element.remove();
    lookFor(aGlance);
    expect(wasRead("a", "2")).toBe(false);
  });

  it("at what is drawn in its place, which the end of the former does not end", () => {
    const { follow } = drawSubject([lines(4)]);
    const stop = follow("1");
    follow("1");
    stop();
    lookFor(aGlance);
    expect(read()).toBe(true);
  });
});

describe("looks no more", () => {
  it("once all of it was read", () => {
    drawSubject([lines(4), lines(3)]).follow("1");
    lookFor(10 * aGlance);
    expect([read(), vi.getTimerCount()]).toEqual([true, 0]);
    // Nor after something moved that changes nothing.
    lookFor(aGlance);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("once all was seen that can be without scrolling", () => {
    drawSubject([lines(4), lines(40)]).follow("1");
    lookFor(10 * aGlance);
    expect([read(), vi.getTimerCount()]).toEqual([false, 0]);
  });

  it("while nobody sees the page", () => {
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    onTestFinished(() => visibility.mockRestore());
    drawSubject([lines(4)]).follow("1");
    lookFor(10 * aGlance);
    expect([read(), vi.getTimerCount()]).toEqual([false, 0]);
  });

  it("only when that holds for each of several", () => {
    drawSubject([lines(4)], { key: "first" }).follow("1");
    drawSubject([lines(4)], { key: "second", top: 300 }).follow("1");
    const over = cover({ left: 0, top: 0, width: 900, height: 250 });
    lookFor(10 * aGlance);
    expect([read("1", "first"), read("1", "second")]).toEqual([false, true]);
    // Nothing tells that it goes.
    over.remove();
    vi.advanceTimersByTime(aGlance);
    expect([read("1", "first"), vi.getTimerCount()]).toEqual([true, 0]);
  });
});

describe("once it has ended", () => {
  it("a subject is not looked at for its size any more", async () => {
    const { element, follow } = drawSubject([lines(4)]);
    const stop = follow("1");
    await nextFrames();
    stop();
    vi.advanceTimersByTime(10 * aGlance);
    element.style.width = "100px";
    await nextFrames();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a subject is not counted as in view any more", () => {
    const stop = drawSubject([lines(4)]).follow("1");
    lookFor(aGlance);
    stop();
    const before = viewedMs("a", "1");
    expect(before).toBeGreaterThan(0);
    lookFor(5_000);
    expect(viewedMs("a", "1")).toBe(before);
    forgetReadings(["a"]);
    expect(viewedMs("a", "1")).toBe(0);
  });

  it("the gauge looks at nothing, and knows nothing of what was read or taken as read", () => {
    const { element, follow } = drawSubject([lines(4)]);
    follow("1");
    lookFor(aGlance);
    waiveReading("a", "1", element);
    startReadGauge()();
    expect([wasRead("a", "1"), viewedMs("a", "1")]).toEqual([false, 0]);
    window.dispatchEvent(new Event("resize"));
    expect(vi.getTimerCount()).toBe(0);
    onTestFinished(startReadGauge());
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(true);
    element.appendChild(document.createElement("p")).dataset.unread = "";
    expect(read()).toBe(false);
  });
});
