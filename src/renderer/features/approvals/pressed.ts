/** Tells how a button of a card was pressed, for the checks of a decision. */
import type { MouseEvent } from "react";
import { isAimedAt } from "../../base/pointer-aim.ts";
import type { Press } from "./decision-gate.ts";

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
