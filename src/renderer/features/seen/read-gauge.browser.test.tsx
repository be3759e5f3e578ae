/** What counts as read: all of it, line by line, as it is drawn, for long enough. */
import { describe, expect, it, onTestFinished } from "vitest";
import {
  aGlance,
  drawSubject,
  gaugeByHand,
  lineHeight,
  lines,
  lookFor,
  read,
} from "../../testing/drawn-subject.ts";
import {
  firstUnread,
  followReading,
  forgetReadings,
  useRead,
  waiveReading,
  wasRead,
  wasSeenInFull,
} from "./read-gauge.ts";

gaugeByHand();

describe("a subject counts as read", () => {
  it("once all of it stood in view for a moment, and only as it was drawn then", () => {
    const { follow } = drawSubject([lines(4)]);
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
    const { box, follow } = drawSubject([lines(10), lines(10), lines(10)]);
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
    const { box, follow } = drawSubject([lines(30)]);
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
    const { box, follow } = drawSubject([lines(11)], { height: 10 * lineHeight + lineHeight / 2 });
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
    box.scrollTop = lineHeight;
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("not beside the edge of a box that cuts its lines", () => {
    const { element, follow } = drawSubject([`make ${"x".repeat(60)}`]);
    (element.firstElementChild as HTMLElement).style.whiteSpace = "pre";
    (element.firstElementChild as HTMLElement).style.overflowWrap = "normal";
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
  });

  it("not in a box of its own that scrolls", () => {
    const { element, follow } = drawSubject([lines(8)]);
    element.style.cssText = `height:${4 * lineHeight}px;overflow:hidden`;
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
  });

  it("not while it is not drawn, and an empty line is nothing to wait for", () => {
    const { element, follow } = drawSubject([lines(2), ""]);
    element.style.display = "none";
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(false);
    element.style.display = "";
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("not while a part of it is folded or missing, and not any more once it is folded again", () => {
    const { element, follow } = drawSubject([lines(4)]);
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
    const { box, follow } = drawSubject([lines(10), lines(10)]);
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
    const { box, element, follow } = drawSubject([""]);
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
    const { element, follow } = drawSubject([lines(4)]);
    element.style.pointerEvents = "none";
    follow("1");
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("where its pieces are named by content, with what was seen of those that stayed", () => {
    const { box, element } = drawSubject([]);
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
    const { box, element, follow } = drawSubject(["word ".repeat(300)]);
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
    const { box, element, follow } = drawSubject(["aaaaaa bbbb ccc"], { height: lineHeight });
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
    const long = drawSubject([lines(30)]);
    long.follow("1");
    waiveReading("a", "1", long.element);
    expect([read("1"), read("2")]).toEqual([true, false]);
    const { element, follow: followAnother } = drawSubject([lines(2)]);
    followAnother("2");
    lookFor(aGlance);
    element.append(Object.assign(document.createElement("p"), { textContent: "folded" }));
    element.lastElementChild?.setAttribute("data-unread", "");
    expect([wasRead("a", "2"), read("2")]).toEqual([true, false]);
    forgetReadings(["a"]);
    expect(read("1")).toBe(false);
  });

  it("by what was seen before it left and after it came back, as it was", () => {
    const { box, follow } = drawSubject([lines(10), lines(10)]);
    const stop = follow("1");
    lookFor(aGlance);
    stop();
    follow("1");
    box.scrollTop = 200;
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("by what was seen before it moved sideways, where its lines break as before", () => {
    const { box, follow } = drawSubject([lines(18)]);
    follow("1");
    lookFor(aGlance);
    box.style.left = "60px";
    box.scrollTop = 180;
    lookFor(aGlance);
    expect(read()).toBe(true);
  });

  it("not while it was forgotten and still stands there", () => {
    const { follow } = drawSubject([lines(2)]);
    follow("1");
    lookFor(aGlance);
    forgetReadings(["a"]);
    lookFor(aGlance);
    expect([read(), wasRead("a", "1"), useRead.getState().read.has("a")]).toEqual([false, false, false]);
  });

  it("no longer once it was forgotten", () => {
    const { follow } = drawSubject([lines(2)]);
    follow("1");
    lookFor(aGlance);
    forgetReadings(["a"]);
    expect([read(), wasRead("a", "1")]).toEqual([false, false]);
    follow("1");
    lookFor(50);
    expect(read()).toBe(false);
  });
});

it("what was taken as read stays so while some of it is folded, and only as it was then", () => {
  const { element, follow } = drawSubject([lines(30)]);
  const folded = element.appendChild(document.createElement("p"));
  folded.dataset.unread = "";
  follow("1");
  waiveReading("a", "1", element);
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

it("what was taken as read of one text leaves the others to be seen, whichever stands first", () => {
  const { box, element, follow } = drawSubject([lines(30), lines(30)]);
  const [first, second] = [...element.children] as [HTMLElement, HTMLElement];
  // Others may have called them alike.
  first.dataset.text = second.dataset.text = "text";
  const folded = second.appendChild(document.createElement("p"));
  folded.dataset.unread = "";
  follow("1");
  waiveReading("a", "1", first);
  expect([read(), firstUnread("a")?.piece]).toEqual([false, second]);
  for (let top = 550; top < 1_200; top += 150) {
    box.scrollTop = top;
    lookFor(aGlance);
  }
  // All of it was seen but what is folded there.
  expect([read(), firstUnread("a")]).toEqual([false, undefined]);
  folded.remove();
  lookFor(aGlance);
  expect([read(), wasSeenInFull("a", "1")]).toEqual([true, false]);
});

it("a piece that is called like another one is not seen by that one", () => {
  const { box, element, follow } = drawSubject([lines(30), lines(30)]);
  for (const piece of element.children) (piece as HTMLElement).dataset.piece = "command 0-10";
  follow("1");
  for (const top of [0, 150, 300, 420]) {
    box.scrollTop = top;
    lookFor(aGlance);
  }
  expect([read(), firstUnread("a")?.piece]).toEqual([false, element.lastElementChild]);
  for (const top of [550, 700, 850, 1_000]) {
    box.scrollTop = top;
    lookFor(aGlance);
  }
  expect(read()).toBe(true);
});

it("a subject without a word is not read by that", () => {
  const { element, follow } = drawSubject([]);
  element.textContent = "nothing of it is a piece";
  follow("1");
  lookFor(aGlance);
  expect(read()).toBe(false);
});
