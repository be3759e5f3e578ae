/** High risk wants a key that is held, not tapped: decides only when it is still down after a while. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useQueue } from "./queue-store.ts";

export const holdMs = 800;

/**
 * Calls `act` once the key of `event` has been down for `holdMs`; releasing it, pressing anything else or leaving the
 * window ends it.
 * @param tooShort called when it was released before.
 */
export function holdToAct(
  approval: Approval,
  event: KeyboardEvent,
  act: () => void,
  tooShort: () => void,
): void {
  const timer = setTimeout(() => {
    end();
    act();
  }, holdMs);
  const onKeyUp = (up: globalThis.KeyboardEvent) => {
    if (up.code !== event.code) return;
    end();
    tooShort();
  };
  const onPress = (press: Event) => {
    // It goes on telling that it is down.
    if (!(press instanceof KeyboardEvent && press.code === event.code)) end();
  };
  function end() {
    clearTimeout(timer);
    window.removeEventListener("keyup", onKeyUp, true);
    window.removeEventListener("keydown", onPress, true);
    window.removeEventListener("pointerdown", onPress, true);
    window.removeEventListener("blur", end);
    useQueue.setState({ holding: undefined });
  }
  window.addEventListener("keyup", onKeyUp, true);
  window.addEventListener("keydown", onPress, true);
  window.addEventListener("pointerdown", onPress, true);
  window.addEventListener("blur", end);
  useQueue.setState({ holding: approval.id });
}
