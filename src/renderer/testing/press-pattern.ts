/** Presses keys as the page gets them, written as actions have them, for tests of what a key does. */
import { pressOf } from "./keyboards.ts";

const named = new Set(["Enter", "Escape", "ArrowDown", "ArrowUp", "Space"]);

/** Presses one press of a key pattern, such as `$mod+Shift+Digit0`, as a person at this keyboard does. */
export function press(keyboard: string, pattern: string): void {
  const parts = pattern.split("+");
  const key = parts.pop()!;
  const held = new Set(parts.filter((part) => !part.startsWith("[")));
  const typed = named.has(key)
    ? { code: key, key: key === "Space" ? " " : key, shiftKey: held.has("Shift") }
    : pressOf(keyboard, key.replace(/^Digit/, ""), held.has("Shift"));
  const event = {
    ...typed,
    ctrlKey: held.has("$mod"),
    altKey: held.has("Alt"),
    bubbles: true,
    cancelable: true,
  };
  document.body.dispatchEvent(new KeyboardEvent("keydown", event));
}
