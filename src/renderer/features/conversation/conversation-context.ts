/** The open thread, for everything drawn inside its conversation; only ids and the store, so that nothing re-renders by it. */
import { type ComponentType, createContext, useContext } from "react";
import { useStore } from "zustand";
import type { TranscriptItem } from "../../../shared/contract/transcript.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import type { Transcript, TranscriptStore } from "./transcript/transcript-store.ts";

type OpenConversation = {
  threadId: ThreadId;
  store: TranscriptStore;
  /** Draws an item by its id; here, so that the run of a sub-agent can draw what is inside it. */
  Row: ComponentType<{ id: string }>;
};

export const ConversationContext = createContext<OpenConversation | undefined>(undefined);

/** @throws Error outside of a conversation. */
export function useConversation(): OpenConversation {
  const open = useContext(ConversationContext);
  if (!open) throw new Error("This part belongs inside a conversation.");
  return open;
}

/** What `select` takes of the transcript; the component re-renders only when that changes. */
export function useTranscript<T>(select: (state: Transcript) => T): T {
  return useStore(useConversation().store, select);
}

export function useItem(id: string): TranscriptItem | undefined {
  return useTranscript((state) => state.items.get(id) ?? state.window?.items.get(id));
}
