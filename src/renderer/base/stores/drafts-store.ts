/** What is half written in each thread; kept in this browser so that a reload does not lose it. */
import { create } from "zustand";
import type { ThreadId } from "../../../shared/ids.ts";

const storageKey = "countersign.drafts";
const saveAfterMs = 300;

export const useDrafts = create<Record<string, string>>(() => read());

export function setDraft(threadId: ThreadId, text: string): void {
  useDrafts.setState({ [threadId]: text });
}

export function draftOf(threadId: ThreadId): string {
  return useDrafts.getState()[threadId] ?? "";
}

let timer: ReturnType<typeof setTimeout> | undefined;
useDrafts.subscribe(() => {
  clearTimeout(timer);
  timer = setTimeout(save, saveAfterMs);
});
// The last keystrokes before a reload count as well.
window.addEventListener("pagehide", save);

function save(): void {
  const written = Object.fromEntries(Object.entries(useDrafts.getState()).filter(([, text]) => text !== ""));
  try {
    localStorage.setItem(storageKey, JSON.stringify(written));
  } catch {
    // Storage may be full or off; the draft then lives as long as the window.
  }
}

function read(): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, text]) => typeof text === "string"));
  } catch {
    return {};
  }
}
