/** Knows whether the person works in the queue: what its keys act on, and where the focus goes when a card leaves. */
import { isTextField } from "../../base/keys.ts";
import { useRoute } from "../../base/navigation.ts";
import { useQueue } from "./queue-store.ts";

let last: { element: Element; inQueue: boolean; inRows: boolean } | undefined;

/** @returns a function that stops it. */
export function startQueueFocus(): () => void {
  const note = (event: FocusEvent) => {
    const element = event.target instanceof Element ? event.target : undefined;
    // Asked now: once the element has left the page it can no longer say where it stood.
    last = element && {
      element,
      inQueue: element.closest("[data-queue]") !== null,
      inRows: element.closest("[data-queue-row]") !== null,
    };
  };
  document.addEventListener("focusin", note);
  return () => document.removeEventListener("focusin", note);
}

/**
 * Whether the keys of the queue act: in its own view whatever button has the focus, beside another view only while the
 * focus is in the region.
 */
export function areKeysForQueue(): boolean {
  if (useQueue.getState().order.length === 0) return false;
  if (document.activeElement?.closest("[data-queue]")) return true;
  return document.querySelector("main [data-queue]") !== null;
}

/** Whether keys that others use too (arrows, Space) are the queue's: in a thread only while the focus is on its card. */
export function areSharedKeysForQueue(): boolean {
  if (!areKeysForQueue()) return false;
  return useRoute.getState().view === "queue" || document.activeElement?.closest("[data-queue]") != null;
}

/** Whether a thread is open in which nothing waits. */
export function isThreadQuiet(): boolean {
  return useRoute.getState().view === "thread" && useQueue.getState().order.length === 0;
}

/** Whether the queue stands beside what the person works in: its keys lead there first, and act from the next press on. */
export function isQueueBeside(): boolean {
  return useQueue.getState().order.length > 0 && !areKeysForQueue();
}

/** Whether the focus is among the rows, or was when the row that had it left. */
export function areRowsFocused(): boolean {
  const active = document.activeElement;
  if (active !== null && active !== document.body) return active.closest("[data-queue-row]") !== null;
  if (document.querySelector("[data-queue-row]") === null) return false;
  return last?.inRows === true && !last.element.isConnected;
}

/**
 * Whether the focus is in the queue, or fell to the page because the card that had it left. Not in a field: what stands
 * around that leaves while someone types, and the next letter must not fall on a card.
 */
export function hasQueueFocus(): boolean {
  const active = document.activeElement;
  if (isTextField(active)) return false;
  if (active !== null && active !== document.body) return active.closest("[data-queue]") !== null;
  if (useRoute.getState().view === "queue") return true;
  return last?.inQueue === true && !last.element.isConnected;
}
