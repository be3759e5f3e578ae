/** What is half written in each thread. The host keeps it; what it has not yet stays in this browser. */
import { create } from "zustand";
import { type Draft, draftSchema, type Pasted } from "../../../shared/contract/drafts.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../client.ts";

const storageKey = "countersign.drafts";
const saveAfterMs = 300;

export const useDrafts = create<Record<string, string>>(() => ({}));
/** The long texts that names in brackets stand for; one whose name was taken out stays, so that undoing brings it back. */
export const usePasted = create<Record<string, readonly Pasted[]>>(() => ({}));

const nonePasted: readonly Pasted[] = [];

/** Threads whose draft the host has not got as it is now. */
const unsaved = new Set<ThreadId>();
const asked = new Set<ThreadId>();

export function setDraft(threadId: ThreadId, text: string): void {
  useDrafts.setState({ [threadId]: text });
  saveSoon(threadId);
}

export function setPasted(threadId: ThreadId, pasted: readonly Pasted[]): void {
  usePasted.setState({ [threadId]: pasted });
  saveSoon(threadId);
}

function saveSoon(threadId: ThreadId): void {
  unsaved.add(threadId);
  clearTimeout(timer);
  timer = setTimeout(saveAll, saveAfterMs);
}

export function draftOf(threadId: ThreadId): string {
  return useDrafts.getState()[threadId] ?? "";
}

export function pastedOf(threadId: ThreadId): readonly Pasted[] {
  return usePasted.getState()[threadId] ?? nonePasted;
}

/** Gets a thread's draft from the host, once; what is typed before the answer comes stays. */
export async function loadDraft(threadId: ThreadId): Promise<void> {
  if (asked.has(threadId)) return;
  asked.add(threadId);
  try {
    const draft = await client().call("drafts.get", { threadId });
    if (!unsaved.has(threadId) && draft.text !== "") show(threadId, draft);
  } catch {
    // Without the host there is nothing to show yet; the thread asks again when it is opened again.
    asked.delete(threadId);
  }
}

/** Takes over what a page that closed could not hand to the host, and hands it over. @returns a function that ends it. */
export function startDrafts(): () => void {
  unsaved.clear();
  asked.clear();
  for (const [threadId, draft] of readLeft()) {
    show(threadId, draft);
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

function show(threadId: ThreadId, { text, pasted }: Draft): void {
  usePasted.setState({ [threadId]: pasted });
  useDrafts.setState({ [threadId]: text });
}

/** A long text goes along only as long as its name stands in the text. */
function wholeDraft(threadId: ThreadId): Draft {
  const text = draftOf(threadId);
  return { text, pasted: pastedOf(threadId).filter(({ name }) => text.includes(`[${name}]`)) };
}

let timer: ReturnType<typeof setTimeout> | undefined;

async function saveAll(): Promise<void> {
  keepUnsaved();
  await Promise.all([...unsaved].map(save));
  keepUnsaved();
}

async function save(threadId: ThreadId): Promise<void> {
  const draft = wholeDraft(threadId);
  const pasted = pastedOf(threadId);
  try {
    await client().call("drafts.set", { threadId, draft });
    if (draftOf(threadId) === draft.text && pastedOf(threadId) === pasted) unsaved.delete(threadId);
  } catch {
    // It stays in the browser until the host is there again.
  }
}

function keepUnsaved(): void {
  const left = [...unsaved].map((threadId) => [threadId, wholeDraft(threadId)]);
  try {
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(left)));
  } catch {
    // Storage may be full or off; the draft then lives as long as the window.
  }
}

function readLeft(): [ThreadId, Draft][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    if (typeof stored !== "object" || stored === null) return [];
    return Object.entries(stored).flatMap(([threadId, one]) => {
      const draft = draftSchema.safeParse(one);
      return draft.success ? [[threadId as ThreadId, draft.data] as [ThreadId, Draft]] : [];
    });
  } catch {
    return [];
  }
}
