/** What a person can see of an element, by the layout of a real page. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { boxesOf, heightInView, lookAtAll, roomOf, sightsOf } from "./visible-part.ts";

/** Draws an element, gone when the test ends. */
function draw(css: string, into: Element = document.body, text = ""): HTMLElement {
  const element = into.appendChild(document.createElement("div"));
  element.style.cssText = css;
  element.textContent = text;
  onTestFinished(() => element.remove());
  return element;
}

const font = "font:16px/20px monospace;white-space:pre";
const sights = (element: Element) => sightsOf(boxesOf(element), element);
const box = (more: string) => draw(`position:fixed;left:40px;top:40px;width:200px;height:100px;${more}`);
const over = (left: number, top: number, width: number, height: number) =>
  draw(`position:fixed;background:gray;left:${left}px;top:${top}px;width:${width}px;height:${height}px`);

describe("what is seen", () => {
  it("is a picture and a field as a whole, beside the words", () => {
    const outer = box(font);
    const element = draw("", outer, "words");
    element.append(document.createElement("br"));
    const picture = element.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
    picture.setAttribute("style", "display:block;width:40px;height:30px");
    expect(sights(element)).toEqual(["shown", "shown"]);
    over(40, 70, 40, 10);
    expect(sights(element)).toEqual(["shown", "covered"]);
  });

  it("is the room of what has no words", () => {
    const element = draw("height:20px", box(""));
    expect(sights(element)).toEqual(["shown"]);
    over(60, 40, 4, 40);
    over(60, 40, 40, 40);
    expect(sights(element)).toEqual(["covered"]);
  });

  it.each([
    ["its beginning", 40, 6],
    ["its end", 118, 6],
  ])("is not a line of which %s is covered", (_, left, width) => {
    const element = draw(font, box(""), "x".repeat(8));
    expect(boxesOf(element)[0]?.right).toBeCloseTo(118, -1);
    const end = boxesOf(element)[0]?.right ?? 0;
    over(left === 40 ? left : end - width, 40, width, 20);
    expect(sights(element)).toEqual(["covered"]);
  });

  it.each([
    ["above", "margin-top:-3px"],
    ["left", "margin-left:-3px"],
  ])("is not a line that is cut a little at its %s", (_, css) => {
    const element = draw(`${font};${css}`, box("overflow:hidden"), "line");
    expect(sights(element)).toEqual(["out"]);
  });

  it("is not what a box cuts in one direction only", () => {
    const element = draw(`${font};margin-top:90px`, box("overflow-x:visible;overflow-y:clip"), "line");
    expect(sights(element)).toEqual(["out"]);
  });

  it("is not what a box cuts across only, and is what reaches just to its edges", () => {
    const cut = draw(`${font};margin-left:190px`, box("overflow-x:clip;overflow-y:visible"), "line");
    expect(sights(cut)).toEqual(["out"]);
    const whole = draw("width:200px;height:100px", box("overflow:hidden"));
    expect(new Set(sights(whole))).toEqual(new Set(["shown"]));
  });

  it("is the words themselves, not the room of what they stand in", () => {
    const element = draw(font, box("width:400px"));
    const inner = draw("width:300px", element, "word");
    const beside = inner.appendChild(document.createElement("b"));
    beside.textContent = " more";
    over(240, 30, 100, 60);
    expect(sights(element)).toEqual(["shown", "shown"]);
  });

  it("is not a line of which the middle is covered, however far to the right it stands", () => {
    const element = draw(`${font};left:600px`, box("left:600px"), "x".repeat(16));
    const { left, right } = boxesOf(element)[0] ?? { left: 0, right: 0 };
    for (const part of [0.2, 0.4, 0.6, 0.8]) {
      const word = over(left + (right - left) * part - 13, 40, 26, 20);
      expect(sights(element)).toEqual(["covered"]);
      word.remove();
    }
    expect(sights(element)).toEqual(["shown"]);
  });

  it("is only what the screen shows of a page that a person zoomed in with fingers, in parts of a line", () => {
    const element = draw(font, box("width:600px"), "x".repeat(60));
    expect(sights(element)).toEqual(["shown"]);
    // A frame has none of its own that could be zoomed.
    const screen = { scale: 4, offsetLeft: 0, offsetTop: 0, width: innerWidth / 4, height: innerHeight / 4 };
    const zoomed = vi.spyOn(window, "visualViewport", "get").mockReturnValue(screen as VisualViewport);
    onTestFinished(() => zoomed.mockRestore());
    const [first, ...rest] = sights(element);
    expect([first, rest.at(-1)]).toEqual(["shown", "out"]);
    screen.offsetLeft = 640 - screen.width;
    expect([sights(element)[0], sights(element).at(-1)]).toEqual(["out", "shown"]);
    screen.offsetTop = 100;
    expect(sights(element)).not.toContain("shown");
  });

  it("is not what stands beyond the window or beyond a box around the box", () => {
    const far = draw(`${font};position:fixed;left:${innerWidth - 10}px;top:40px`, document.body, "a line");
    expect(sights(far)).toEqual(["out"]);
    const outer = box("overflow:hidden");
    const wide = draw("margin:0 -50px;overflow:hidden;height:60px", outer);
    const element = draw(`${font};width:300px;text-align:right`, wide, "right");
    expect(sights(element)).toEqual(["out"]);
    element.style.textAlign = "left";
    expect(sights(element)).toEqual(["out"]);
    wide.style.margin = "0 50px";
    expect(sights(element)).toEqual(["shown"]);
    element.style.marginLeft = "-20px";
    expect(sights(element)).toEqual(["out"]);
    element.style.marginLeft = "80px";
    expect(sights(element)).toEqual(["out"]);
  });

  it("is not cut by the page itself, which scrolls as the window", () => {
    const { cssText } = document.body.style;
    onTestFinished(() => {
      document.body.style.cssText = cssText;
    });
    document.body.style.cssText = "overflow:hidden;height:10px;min-height:0";
    expect(document.body.getBoundingClientRect().height).toBe(10);
    expect(sights(draw(font, box(""), "line"))).toEqual(["shown"]);
  });

  it("is looked at without a trace: presses go through afterwards as before", () => {
    const element = draw(font, box(""), "line");
    const shade = over(40, 40, 200, 100);
    shade.style.pointerEvents = "none";
    const own = new CSSStyleSheet();
    own.replaceSync("[data-probe] { padding-left: 30px }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, own];
    onTestFinished(() => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== own);
    });
    element.dataset.probe = "";
    const places = () => boxesOf(element).map(({ left }) => left);
    expect(lookAtAll(places)).toEqual(places());
    const sheets = [...document.adoptedStyleSheets];
    expect(lookAtAll(() => [...sights(element), ...sights(element)])).toEqual(["covered", "covered"]);
    expect(document.adoptedStyleSheets).toEqual(sheets);
    expect(document.elementFromPoint(45, 45)).toBe(element);
  });
});

describe("the height that is seen", () => {
  /** Three lines with room between, in the order of the page or against it. */
  const drawLines = (order: readonly number[]) => {
    const outer = draw("position:fixed;left:40px;top:40px;width:200px;height:120px");
    const element = draw("position:relative;height:100px", outer);
    for (const at of order)
      draw(`${font};position:absolute;left:0;top:${at * 40}px;line-height:20px`, element, `line ${at}`);
    return element;
  };

  it.each([[[0, 1, 2]], [[2, 0, 1]]])(
    "counts the room between lines that are both seen, drawn as %j",
    (order) => {
      const element = drawLines(order);
      const [first] = boxesOf(element);
      const line = (first?.bottom ?? 0) - (first?.top ?? 0);
      expect(heightInView(element)).toBe(100);
      const last = over(0, 115, 400, 60);
      expect(heightInView(element)).toBeCloseTo(40 + line, 0);
      last.remove();
      over(0, 76, 400, 28);
      expect(heightInView(element)).toBeCloseTo(2 * line, 0);
    },
  );

  it("looks no further once enough of an element is seen", () => {
    const element = drawLines([0, 1, 2]);
    const hits = vi.spyOn(document, "elementFromPoint");
    onTestFinished(() => hits.mockRestore());
    expect(heightInView(element, element, 30)).toBeGreaterThanOrEqual(30);
    const few = hits.mock.calls.length;
    expect(heightInView(element)).toBe(100);
    expect(few).toBeLessThan(hits.mock.calls.length - few);
  });
});

it("the room for an element is what the boxes around it leave of the window, and none beyond it", () => {
  const outer = box("overflow:hidden");
  const inner = draw("margin-top:-30px;height:100px;overflow:hidden", outer);
  const element = draw(font, inner, "line");
  expect(roomOf(element)).toBe(70);
  inner.style.marginTop = "30px";
  expect(roomOf(element)).toBe(70);
  outer.style.top = `${innerHeight + 100}px`;
  expect(roomOf(element)).toBe(0);
});
