/** A press that waits for a glance is given up once the person presses something else. */
import { expect, it } from "vitest";
import { staysLastPress } from "./last-press.ts";

const key = (options: KeyboardEventInit) => new KeyboardEvent("keydown", { bubbles: true, ...options });

it("a double click is one press", async () => {
  const button = document.createElement("button");
  document.body.append(button);
  button.focus();
  const stays = await staysLastPress(async () => {
    button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  });
  button.remove();
  expect(stays).toBe(true);
});

it("a press beside the button that has the focus is another one", async () => {
  const button = document.createElement("button");
  const beside = document.createElement("p");
  document.body.append(button, beside);
  button.focus();
  const press = () => new PointerEvent("pointerdown", { bubbles: true });
  const stays = [
    await staysLastPress(async () => void beside.dispatchEvent(press())),
    await staysLastPress(async () => void window.dispatchEvent(press())),
    // What was pressed before it waits, or after, is none of it.
    await staysLastPress(async () => undefined),
  ];
  button.remove();
  beside.remove();
  expect(stays).toEqual([false, false, true]);
});

it.each([
  ["nothing", undefined, true],
  ["the same key, held down", key({ key: "y", repeat: true }), true],
  ["the same key again", key({ key: "y" }), false],
  ["another key", key({ key: "n" }), false],
  ["the pointer", new PointerEvent("pointerdown", { bubbles: true }), false],
])("while it waits, %s is pressed", async (_what, event, isLast) => {
  // Whoever handles the press may keep it from going on.
  const stop = (press: Event) => press.stopPropagation();
  document.body.addEventListener("keydown", stop, { once: true });
  const stays = await staysLastPress(async () => {
    if (event) document.body.dispatchEvent(event);
  });
  document.body.removeEventListener("keydown", stop);
  expect(stays).toBe(isLast);
});
