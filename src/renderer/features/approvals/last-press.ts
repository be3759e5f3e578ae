/** How a button or key of a card was pressed, and whether the person still means it or has gone on. */
import type { MouseEvent } from "react";
import { isAimedAt } from "../../base/pointer-aim.ts";
import type { Press } from "./decision-gate.ts";

const presses = ["keydown", "pointerdown"] as const;

/** A key that is held down, and the second press of a double click, are no other press. */
function isSame(event: Event): boolean {
  if (event instanceof KeyboardEvent) return event.repeat;
  const button = document.activeElement;
  return button instanceof HTMLButtonElement && event.target instanceof Node && button.contains(event.target);
}

/** @returns whether nothing else was pressed while `wait` lasted. */
export async function staysLastPress(wait: () => Promise<void>): Promise<boolean> {
  let isLast = true;
  const onPress = (event: Event) => {
    if (!isSame(event)) isLast = false;
  };
  for (const press of presses) window.addEventListener(press, onPress, true);
  try {
    await wait();
  } finally {
    for (const press of presses) window.removeEventListener(press, onPress, true);
  }
  return isLast;
}

/**
 * A click made by a key (Enter or space on the button) is a press by key. The second half of a double click is no
 * press: by then the next card may stand under the pointer.
 */
export function pressed(act: (press: Press) => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail === 0) act({ by: "key" });
    else if (event.detail === 1) act({ by: "pointer", aimed: isAimedAt(event.currentTarget) });
  };
}
