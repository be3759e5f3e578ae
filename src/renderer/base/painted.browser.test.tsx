/** Whether a press was made on what stands there, with the frames and the events of a real page. */
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { noteNew, startPainted, wasPaintedAtPress } from "./painted.ts";

beforeEach(() => onTestFinished(startPainted()));

const painted = () => new Promise<void>((resolve) => noteNew(resolve));
const press = (event: Event = new KeyboardEvent("keydown")) => {
  window.dispatchEvent(event);
  return wasPaintedAtPress();
};

it("is a press that comes once the page was painted, and none before", async () => {
  const whenPainted = painted();
  expect(press()).toBe(false);
  await whenPainted;
  // It was pressed before, however late it is asked.
  expect(wasPaintedAtPress()).toBe(false);
  expect(press()).toBe(true);
});

it("is no press that waited while the page hung", async () => {
  const early = new KeyboardEvent("keydown");
  await painted();
  expect(press(early)).toBe(false);
  expect(press()).toBe(true);
});

it("waits for all that is new", async () => {
  const first = painted();
  await new Promise(requestAnimationFrame);
  const second = painted();
  await first;
  expect(press()).toBe(false);
  await second;
  expect(press()).toBe(true);
});

it("takes a click that no key and no pointer made for a press, and any other for the press that it ends", async () => {
  await painted();
  expect(press(new PointerEvent("pointerdown"))).toBe(true);
  await painted();
  expect(press(new MouseEvent("click", { detail: 1 }))).toBe(false);
  expect(press(new MouseEvent("click", { detail: 0 }))).toBe(true);
});

it.each([" ", "Enter"])(
  "takes the click of a key that is held (%o), and the key as it repeats, for the press that it began as",
  async (key) => {
    const code = key === " " ? "Space" : key;
    await painted();
    expect(press(new KeyboardEvent("keydown", { key, code }))).toBe(true);
    await painted();
    expect(press(new KeyboardEvent("keydown", { key, code, repeat: true }))).toBe(false);
    window.dispatchEvent(new KeyboardEvent("keyup", { key, code }));
    expect(press(new MouseEvent("click", { detail: 0 }))).toBe(false);
    // Who hears the page presses without a key, later.
    await new Promise((resolve) => setTimeout(resolve));
    expect(press(new MouseEvent("click", { detail: 0 }))).toBe(true);
  },
);
