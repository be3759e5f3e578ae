/** What counts as seen, on plain elements in a real page: the layout is the browser's, the time is told by hand. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  firstUnread,
  followReading,
  forgetReadings,
  isRead,
  lookForRead,
  startReadGauge,
  untilRead,
  waiveReading,
  wasRead,
  wasSeenInFull,
} from "./read-gauge.ts";
import { viewedMs } from "./viewing-time.ts";

const lineHeight = 20;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(startReadGauge());
});

afterEach(() => {
  vi.useRealTimers();
});

type Subject = { box: HTMLElement; element: HTMLElement; follow: (digest: string) => () => void };

/** A subject in a box that scrolls, each of the texts a piece of it. */
function draw(pieces: readonly string[], { height = 200, width = 400 } = {}): Subject {
  const box = document.body.appendChild(document.createElement("div"));
  box.style.cssText = `position:fixed;top:20px;left:20px;width:${width}px;height:${height}px;overflow:auto;font:14px/${lineHeight}px monospace`;
  const element = box.appendChild(document.createElement("div"));
  pieces.forEach((text, index) => {
    const piece = element.appendChild(document.createElement("div"));
    piece.dataset.piece = `${index}`;
    piece.style.cssText = "white-space:pre-wrap;overflow-wrap:anywhere";
    piece.textContent = text;
  });
  onTestFinished(() => box.remove());
  const follow = (digest: string) => {
    const stop = followReading({ key: "a", digest, element });
    onTestFinished(stop);
    return stop;
  };
  return { box, element, follow };
}

const lines = (count: number, word = "make") =>
  Array.from({ length: count }, (_, index) => `${word} part-${index}`).join("\n");

/** Lays something over the box, `at` pixels of the window. */
function cover(at: { left: number; top: number; width: number; height: number }): HTMLElement {
  const element = document.body.appendChild(document.createElement("div"));
  element.style.cssText = "position:fixed;background:gray";
  for (const [side, pixels] of Object.entries(at)) element.style.setProperty(side, `${pixels}px`);
  onTestFinished(() => element.remove());
  return element;
}

/** Lets a person look for so long; whatever moved before is noticed at the beginning. */
function lookFor(ms: number): void {
  lookForRead();
  vi.advanceTimersByTime(ms);
}

const aGlance = 300;
const read = (digest = "1") => isRead("a", digest);

describe("a subject counts as read", () => {
  it("once all of it stood in view for a moment, and only as it was drawn then", () => {
    const { follow } = draw([lines(4)]);
    follow("1");
    expect(read()).toBe(false);
    lookFor(aGlance);
    expect(read()).toBe(true);
    expect(read("2")).toBe(false);
    follow("2");
    expect(read("1") || read("2")).toBe(false);
    lookFor(aGlance);
    expect(read("2")).toBe(true);
  });

  it("not while it only flies past", () => {
    const { box, follow } = draw([lines(10), lines(10), lines(10)]);
    follow("1");
    for (let top = 0; top <= 600; top += 100) {
      box.scrollTop = top;
      lookFor(60);
    }
    expect(read()).toBe(false);
    for (let top = 0; top <= 600; top += 100) {
      box.scrollTop = top;
      lookFor(aGlance);
    }
    expect(read()).toBe(true);
  });

  it("not before its end came into view, nor by its two ends", () => {
    const { box, follow } = draw([lines(30)]);
    follow("1");
    lookFor(aGlance);
    box.scrollTop = box.scrollHeight;
    lookFor(aGlance);
    expect(read()).toBe(false);
    box.scrollTop = 200;
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("not by a line of which only a part is in view", () => {
    const { box, follow } = draw([lines(11)], { height: 10 * lineHeight + lineHeight / 2 });
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
    box.scrollTop = lineHeight;
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("not beside the edge of a box that cuts its lines", () => {
    const { element, follow } = draw([`make ${"x".repeat(60)}`]);
    (element.firstElementChild as HTMLElement).style.whiteSpace = "pre";
    (element.firstElementChild as HTMLElement).style.overflowWrap = "normal";
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
  });

  it("not in a box of its own that scrolls", () => {
    const { element, follow } = draw([lines(8)]);
    element.style.cssText = `height:${4 * lineHeight}px;overflow:hidden`;
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
  });

  it("not while it is not drawn, and an empty line is nothing to wait for", () => {
    const { element, follow } = draw([lines(2), ""]);
    element.style.display = "none";
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
    element.style.display = "";
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("not while a part of it is folded or missing, and not any more once it is folded again", () => {
    const { element, follow } = draw([lines(4)]);
    const missing = element.appendChild(document.createElement("p"));
    missing.dataset.unread = "true";
    follow("1");
    lookFor(aGlance);
    lookFor(aGlance);
    expect([read(), wasRead("a", "1")]).toEqual([false, false]);
    missing.remove();
    lookFor(aGlance);
    expect(read()).toBe(true);
    element.append(missing);
    expect([read(), wasRead("a", "1")]).toEqual([false, true]);
  });

  it("not by two short looks with something else between", () => {
    const { box, follow } = draw([lines(10), lines(10)]);
    follow("1");
    box.scrollTop = 200;
    lookFor(aGlance);
    for (let time = 0; time < 5; time += 1) {
      box.scrollTop = 0;
      lookFor(99);
      box.scrollTop = 200;
      lookFor(99);
    }
    expect(read()).toBe(false);
  });

  it("in a field, by all of its height; not while it scrolls itself", () => {
    const { box, element, follow } = draw([""]);
    const field = document.createElement("textarea");
    field.style.cssText = "display:block;width:300px;height:500px";
    field.value = lines(8);
    element.firstElementChild?.append(field);
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
    for (const top of [150, 300, 450]) {
      box.scrollTop = top;
      lookFor(aGlance);
    }
    expect(read()).toBe(true);
    field.value = lines(200);
    expect(read()).toBe(false);
  });

  it("also while the list scrolls and its rows take no pointer", () => {
    const { element, follow } = draw([lines(4)]);
    element.style.pointerEvents = "none";
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("where its pieces are named by content, with what was seen of those that stayed", () => {
    const { box, element } = draw([]);
    const show = (...texts: string[]) => {
      element.replaceChildren(
        ...texts.map((text) => {
          const piece = document.createElement("div");
          piece.style.height = "150px";
          piece.dataset.piece = piece.textContent = text;
          return piece;
        }),
      );
      onTestFinished(followReading({ key: "a", digest: texts.join(), element, namedByContent: true }));
      return () => read(texts.join());
    };
    const one = show("one", "two", "three");
    for (const top of [0, 150, 300]) {
      box.scrollTop = top;
      lookFor(aGlance);
    }
    expect(one()).toBe(true);
    box.scrollTop = 0;
    const moved = show("new", "one", "two", "three");
    expect(moved()).toBe(false);
    lookFor(aGlance);
    expect(moved()).toBe(true);
    const changed = show("new", "one", "two", "other");
    lookFor(aGlance);
    expect(changed()).toBe(false);
  });

  it("not by lines that break anew elsewhere", () => {
    const { box, element, follow } = draw(["word ".repeat(300)]);
    element.style.width = "150px";
    follow("1");
    // The first half of it, as it stands now.
    for (let top = 0; top < element.offsetHeight / 2; top += 100) {
      box.scrollTop = top;
      lookFor(aGlance);
    }
    element.style.width = "300px";
    box.scrollTop = 0;
    lookFor(aGlance);
    expect(read()).toBe(false);
  });

  it.each([
    ["width", (element: HTMLElement) => element.style.setProperty("width", "12ch")],
    ["font", (element: HTMLElement) => element.style.setProperty("font-size", "10px")],
  ])("not by as many lines that break elsewhere in another %s", (_what, change) => {
    const { box, element, follow } = draw(["aaaaaa bbbb ccc"], { height: lineHeight });
    element.style.width = "9ch";
    element.style.width = `${element.getBoundingClientRect().width}px`;
    follow("1");
    lookFor(aGlance);
    change(element);
    // The word in the middle stood below first, and stands above now.
    box.scrollTop = lineHeight;
    lookFor(aGlance);
    expect(read()).toBe(false);
    box.scrollTop = 0;
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("when the person chose not to read the rest, for this very content", () => {
    const { follow } = draw([lines(30)]);
    follow("1");
    waiveReading("a", "1");
    expect([read("1"), read("2")]).toEqual([true, false]);
    const { element, follow: followAnother } = draw([lines(2)]);
    followAnother("2");
    lookFor(aGlance);
    element.append(Object.assign(document.createElement("p"), { textContent: "folded" }));
    element.lastElementChild?.setAttribute("data-unread", "");
    expect([wasRead("a", "2"), read("2")]).toEqual([true, false]);
    forgetReadings(["a"]);
    expect(read("1")).toBe(false);
  });

  it("no longer once it was forgotten", () => {
    const { follow } = draw([lines(2)]);
    follow("1");
    lookFor(aGlance);
    forgetReadings(["a"]);
    expect([read(), wasRead("a", "1")]).toEqual([false, false]);
    follow("1");
    lookFor(50);
    expect(read()).toBe(false);
  });
});

describe("looks by itself", () => {
  const nextFrames = async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  };

  it("once it is drawn, and at what came into it later, in a row that keeps its size", async () => {
    const { box, element, follow } = draw([lines(4)]);
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
    const { element, follow } = draw([lines(4)]);
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
    const { element, follow } = draw([lines(4)]);
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
    const { follow } = draw([lines(4)]);
    const stop = follow("1");
    follow("1");
    stop();
    lookFor(aGlance);
    expect(read()).toBe(true);
  });
});

it("what was taken as read stays so while some of it is folded, and only as it was then", () => {
  const { element, follow } = draw([lines(30)]);
  const folded = element.appendChild(document.createElement("p"));
  folded.dataset.unread = "";
  follow("1");
  waiveReading("a", "1");
  expect(read("1")).toBe(true);
  forgetReadings(["a"]);
  follow("1");
  folded.remove();
  for (const top of [0, 150, 300, 450]) {
    element.parentElement?.scrollTo(0, top);
    lookFor(aGlance);
  }
  expect(read("1")).toBe(true);
  element.append(folded);
  expect(read("1")).toBe(false);
});

it("a subject without a word is not read by that", () => {
  const { element, follow } = draw([]);
  element.textContent = "nothing of it is a piece";
  follow("1");
  lookFor(aGlance);
  expect(read()).toBe(false);
});

it("what is drawn in another size leads to its beginning again", () => {
  const { box, element, follow } = draw(["word ".repeat(300)]);
  element.style.width = "300px";
  follow("1");
  lookFor(aGlance);
  expect(firstUnread("a")?.below).toBeGreaterThan(0);
  element.style.width = "150px";
  box.scrollTop = 0;
  expect(firstUnread("a")?.below).toBe(0);
});

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
    const { follow } = draw([lines(10, "make everything new")]);
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
  const { box, follow } = draw([lines(14, "make everything new")]);
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

it("waits for no more than what is missing of it, and not for ever on a page that nobody sees", async () => {
  const { box, follow } = draw([lines(10), lines(4)]);
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
  const short = draw([lines(2)]);
  short.follow("3");
  const hidden = untilRead("a", "3");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await hidden).toBe(false);
});

describe("once it has ended", () => {
  const nextFrames = async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  };

  it("a subject is not looked at for its size any more", async () => {
    const { element, follow } = draw([lines(4)]);
    const stop = follow("1");
    await nextFrames();
    stop();
    vi.advanceTimersByTime(10 * aGlance);
    element.style.width = "100px";
    await nextFrames();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a subject is not counted as in view any more", () => {
    const stop = draw([lines(4)]).follow("1");
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
    const { element, follow } = draw([lines(4)]);
    follow("1");
    waiveReading("a", "1");
    startReadGauge()();
    expect(wasRead("a", "1")).toBe(false);
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

it("counts no time from the moment at which nobody sees the page, however late it looks again", () => {
  draw([lines(2)]).follow("1");
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

it("waits for a glance that is all that is missing, and for nothing else", async () => {
  const short = draw([lines(4)]);
  short.follow("1");
  const asked = untilRead("a", "1");
  await vi.advanceTimersByTimeAsync(aGlance);
  expect(await asked).toBe(true);
  const long = draw([lines(40)]);
  const stop = long.follow("2");
  expect(await untilRead("a", "2")).toBe(false);
  stop();
});

describe("what is recorded of it", () => {
  it("is that all of it was seen, which taking it as read does not make true", () => {
    const long = draw([lines(30)]);
    long.follow("1");
    waiveReading("a", "1");
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
    const { element, follow } = draw([lines(2)]);
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
