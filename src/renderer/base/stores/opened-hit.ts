/** The hit of the thread search a person opened, until the conversation has gone there. */
import { create } from "zustand";
import type { Output } from "../../../shared/contract/contract.ts";
import { go } from "../navigation.ts";

export type SearchHit = Output<"threads.search">["hits"][number];

export const useOpenedHit = create<{ hit?: SearchHit }>(() => ({}));

/** Opens the thread at the message. Opening the same hit again goes there again. */
export function openHit(hit: SearchHit): void {
  useOpenedHit.setState({ hit: { ...hit } });
  go({ view: "thread", id: hit.threadId });
}
