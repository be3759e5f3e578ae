/** What it means that an agent acts itself: the same words on each card and in each thread. */
import type { ActingLevel } from "../../shared/contract/outer-agents.ts";

export const wordsOfLevel: Record<ActingLevel, string> = {
  asking:
    "Asking: this agent acts by itself and decides itself what it asks about. What it does without asking is neither held nor undone here.",
};
