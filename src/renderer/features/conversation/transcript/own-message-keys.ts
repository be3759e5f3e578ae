/** The keys that lead to what the person wrote in the open thread, and do with it what its buttons do. */
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import type { Action } from "../../../base/actions.ts";
import { strings as appStrings } from "../../../base/strings.ts";
import { attempt } from "../../../ui/attempt.ts";
import { showToast } from "../../../ui/toast.tsx";
import { strings } from "../strings.ts";
import { shownPart, type TranscriptStore } from "./transcript-store.ts";
import { loadOlder, showItem } from "./transcript-window.ts";

/** What a message's buttons carry as `data-message-deed`, and the key of each. */
export const messageDeeds = { change: "d", fork: "f", again: "b", undo: "Shift+z" } as const;
export type MessageDeed = keyof typeof messageDeeds;

export function ownMessageActions(threadId: ThreadId, store: TranscriptStore): Action[] {
  const { section, labels } = { section: appStrings.sections.conversation, labels: strings.messageKeys };
  const deeds = Object.keys(messageDeeds) as MessageDeed[];
  return [
    {
      id: "message.earlier",
      label: labels.earlier,
      section,
      keys: ["u"],
      run: () => void goToOwn(threadId, store, -1),
    },
    {
      id: "message.later",
      label: labels.later,
      section,
      keys: ["Shift+u"],
      run: () => void goToOwn(threadId, store, 1),
    },
    ...deeds.map((deed) => ({
      id: `message.${deed}`,
      label: labels[deed],
      section,
      keys: [messageDeeds[deed]],
      hidden: true,
      when: () => buttonOf(deed) !== undefined,
      run: () => buttonOf(deed)?.click(),
    })),
  ];
}

/** Where the last press leads to, and what had the focus then: until it moves, the next press goes on from there. */
let underway: { itemId: string; focused: Element | null } | undefined;

/** From the message that has the focus to the next one; from elsewhere, to the last one. */
async function goToOwn(threadId: ThreadId, store: TranscriptStore, by: 1 | -1): Promise<void> {
  const from = underway?.focused === document.activeElement ? underway?.itemId : focusedRow()?.dataset.item;
  await attempt(async () => {
    let found = nextOwn(store, from, by);
    while (!found && by === -1 && shownPart(store.getState()).hasMore) {
      await loadOlder(store, threadId);
      found = nextOwn(store, from, by);
    }
    if (!found) return showToast(by === -1 ? strings.noEarlierMessage : strings.noLaterMessage);
    underway = { itemId: found.id, focused: document.activeElement };
    document.addEventListener("focusin", () => (underway = undefined), { once: true });
    await showItem(store, threadId, { itemId: found.id, position: found.position }, "open");
  });
}

function nextOwn(store: TranscriptStore, from: string | undefined, by: 1 | -1): TranscriptItem | undefined {
  const { order, items } = shownPart(store.getState());
  const own = order.flatMap((id) => {
    const item = items.get(id);
    return item?.kind === "userMessage" ? [item] : [];
  });
  const at = own.findIndex(({ id }) => id === from);
  return at < 0 ? own.at(-1) : own[at + by];
}

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>("[data-item]") ?? null;
}

function buttonOf(deed: MessageDeed): HTMLElement | undefined {
  return focusedRow()?.querySelector<HTMLElement>(`[data-message-deed="${deed}"]`) ?? undefined;
}
