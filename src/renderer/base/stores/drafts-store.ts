/** What is half written in each thread. The host keeps it; what it has not yet stays in this browser. */
import { create } from "zustand";
import type { Draft } from "../../../shared/contract/drafts.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../client.ts";

const storageKey = "countersign.drafts";
const saveAfterMs = 300;

export const useDrafts = create<Record<string, string>>(() => ({}));

/** Threads whose draft the host has not got as it is now. */
const unsaved = new Set<ThreadId>();
const asked = new Set<ThreadId>();

export function setDraft(threadId: ThreadId, text: string): void {
  useDrafts.setState({ [threadId]: text });
  unsaved.add(threadId);
  clearTimeout(timer);
  timer = setTimeout(saveAll, saveAfterMs);
}

export function draftOf(threadId: ThreadId): string {
  return useDrafts.getState()[threadId] ?? "";
}

/** Gets a thread's draft from the host, once; what is typed before the answer comes stays. */
export async function loadDraft(threadId: ThreadId): Promise<void> {
  if (asked.has(threadId)) return;
  asked.add(threadId);
  try {
    const { text } = await client().call("drafts.get", { threadId });
    if (!unsaved.has(threadId) && text !== "") useDrafts.setState({ [threadId]: text });
  } catch {
    // Without the host there is nothing to show yet; the thread asks again when it is opened again.
    asked.delete(threadId);
  }
}

/** Takes over what a page that closed could not hand to the host, and hands it over. @returns a function that ends it. */
export function startDrafts(): () => void {
  unsaved.clear();
  asked.clear();
  for (const [threadId, text] of readLeft()) {
    useDrafts.setState({ [threadId]: text });
    unsaved.add(threadId);
  }
  void saveAll();
  const stop = client().onState((state) => void (state === "online" && saveAll()));
  // The last keystrokes before a reload count as well.
  window.addEventListener("pagehide", keepUnsaved);
  return () => {
    stop();
    clearTimeout(timer);
    window.removeEventListener("pagehide", keepUnsaved);
  };
}

let timer: ReturnType<typeof setTimeout> | undefined;

async function saveAll(): Promise<void> {
  keepUnsaved();
  await Promise.all([...unsaved].map(save));
  keepUnsaved();
}

async function save(threadId: ThreadId): Promise<void> {
  const draft: Draft = { text: draftOf(threadId) };
  try {
    await client().call("drafts.set", { threadId, draft });
    if (draftOf(threadId) === draft.text) unsaved.delete(threadId);
  } catch {
    // It stays in the browser until the host is there again.
  }
}

function keepUnsaved(): void {
  const left = [...unsaved].map((threadId) => [threadId, draftOf(threadId)]);
  try {
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(left)));
  } catch {
    // Storage may be full or off; the draft then lives as long as the window.
  }
}

function readLeft(): [ThreadId, string][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    if (typeof stored !== "object" || stored === null) return [];
    return Object.entries(stored).filter(([, text]) => typeof text === "string") as [ThreadId, string][];
  } catch {
    return [];
  }
}
