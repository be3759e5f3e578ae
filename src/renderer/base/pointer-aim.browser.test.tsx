/** Whether a person pointed at a button or the button slid under the pointer, with a real mouse over a real page. */
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { isAimedAt, noteMoved, startPointerAim } from "./pointer-aim.ts";

let stop: () => void;
/** The last that was told of the pointer. */
let rests: PointerEvent;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  // Time has gone by since the page was opened.
  vi.advanceTimersByTime(60_000);
  stop = startPointerAim();
  onTestFinished(stop);
  const note = (event: PointerEvent) => {
    rests = event;
  };
  document.addEventListener("pointerover", note, true);
  onTestFinished(() => document.removeEventListener("pointerover", note, true));
});

/** Two buttons, one below the other. @returns them, and a function that moves the lower one to where the upper one is. */
function draw() {
  const list = document.body.appendChild(document.createElement("div"));
  list.style.cssText = "position:fixed;top:100px;left:100px;width:120px;display:grid";
  const [upper, lower] = ["Upper", "Lower"].map((name) => {
    const button = list.appendChild(document.createElement("button"));
    button.textContent = name;
    button.style.height = "40px";
    return button;
  }) as [HTMLButtonElement, HTMLButtonElement];
  onTestFinished(() => list.remove());
  const slide = async () => {
    const came = new Promise((resolve) => lower.addEventListener("pointerover", resolve, { once: true }));
    upper.remove();
    await came;
  };
  return { list, upper, lower, slide };
}

it("is aimed when the pointer was moved to it, and only at that button", async () => {
  const { upper, lower } = draw();
  await userEvent.hover(upper);
  expect([isAimedAt(upper), isAimedAt(lower)]).toEqual([true, false]);
  await userEvent.hover(lower);
  expect([isAimedAt(upper), isAimedAt(lower)]).toEqual([false, true]);
});

it("is not aimed when it slid under a pointer that rests, until there was time to see it", async () => {
  const { upper, lower, slide } = draw();
  await userEvent.hover(upper);
  await slide();
  expect(isAimedAt(lower)).toBe(false);
  vi.advanceTimersByTime(399);
  expect(isAimedAt(lower)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isAimedAt(lower)).toBe(true);
});

it("is not aimed by the press itself, at the place where the pointer rests", async () => {
  const { upper, lower, slide } = draw();
  await userEvent.hover(upper);
  await slide();
  const { screenX, screenY } = rests;
  const at = { bubbles: true, screenX, screenY, pointerType: "mouse" };
  for (const type of ["pointermove", "pointerdown"]) lower.dispatchEvent(new PointerEvent(type, at));
  expect(isAimedAt(lower)).toBe(false);
});

it.each([
  ["across", 9, 0],
  ["down", 0, 9],
])("is aimed by a mouse that moved %s only", async (_, right, below) => {
  const { upper, lower, slide } = draw();
  await userEvent.hover(upper);
  await slide();
  const { screenX, screenY } = rests;
  const at = { screenX: screenX + right, screenY: screenY + below, pointerType: "mouse" };
  lower.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, ...at }));
  expect(isAimedAt(lower)).toBe(true);
});

it("is aimed at nothing where no button is", async () => {
  const { upper } = draw();
  await userEvent.hover(upper);
  document.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, screenX: 1, screenY: 1 }));
  expect(isAimedAt(upper)).toBe(false);
});

it("is aimed as soon as the pointer moves on it", async () => {
  const { upper, lower, slide } = draw();
  await userEvent.hover(upper);
  await slide();
  await userEvent.hover(lower, { position: { x: 5, y: 5 } });
  expect(isAimedAt(lower)).toBe(true);
});

it("is not aimed by a hand that only trembles where it was, until there was time to see it", async () => {
  const { upper, lower, slide } = draw();
  await userEvent.hover(upper, { position: { x: 60, y: 20 } });
  await slide();
  for (const x of [62, 58, 64]) await userEvent.hover(lower, { position: { x, y: 20 } });
  expect(isAimedAt(lower)).toBe(false);
  vi.advanceTimersByTime(400);
  expect(isAimedAt(lower)).toBe(true);
});

it("is not aimed where something else lay over the window until now, as with a window that closes at a press", async () => {
  const { lower } = draw();
  await userEvent.hover(lower, { position: { x: 60, y: 20 } });
  document.documentElement.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
  expect(isAimedAt(lower)).toBe(false);
  await userEvent.hover(lower, { position: { x: 66, y: 20 } });
  expect(isAimedAt(lower)).toBe(false);
  await userEvent.hover(lower, { position: { x: 100, y: 20 } });
  expect(isAimedAt(lower)).toBe(true);
});

it.each(["mouse", "touch", "pen"])(
  "is not aimed by a %s right after what stands there moved by itself",
  (pointerType) => {
    const { upper } = draw();
    noteMoved();
    upper.dispatchEvent(
      new PointerEvent("pointerdown", { bubbles: true, screenX: 70, screenY: 70, pointerType }),
    );
    vi.advanceTimersByTime(399);
    expect(isAimedAt(upper)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isAimedAt(upper)).toBe(true);
  },
);

it.each(["touch", "pen"])(
  "is aimed by a %s, which does not rest on what it does not press",
  (pointerType) => {
    const { lower } = draw();
    const at = { bubbles: true, screenX: 7, screenY: 7, pointerType };
    lower.dispatchEvent(new PointerEvent("pointerdown", at));
    lower.dispatchEvent(new PointerEvent("pointerup", at));
    const { list, upper } = draw();
    list.style.zIndex = "1";
    upper.dispatchEvent(new PointerEvent("pointerdown", at));
    expect(isAimedAt(upper)).toBe(true);
  },
);

it("counts what is in a button as the button, and nothing once it has stopped", async () => {
  const { upper, lower } = draw();
  const icon = upper.appendChild(document.createElement("span"));
  icon.textContent = " ✓";
  await userEvent.hover(icon);
  expect(isAimedAt(upper)).toBe(true);
  stop();
  await userEvent.hover(lower);
  expect(isAimedAt(lower)).toBe(false);
});
