/** What it means that an agent acts itself: the same words on each card and in each thread. */
import type { Acting, ActingLevel } from "../../shared/contract/outer-agents.ts";

export const wordsOfLevel: Record<ActingLevel, string> = {
  asking:
    "Asking: this agent acts by itself and decides itself what it asks about. What it does without asking is neither held nor undone here.",
  governed:
    "Governed: this agent's own tools for commands and files were switched off when it started, and it works with those of this console, which are decided about, recorded and undone as everywhere here. It is a program of its own all the same: what it does past these tools is not held. If it tells of that, its turn ends and the thread falls back to asking.",
  confined:
    "Governed and confined: this agent works with the tools of this console, and its own program runs in a sandbox. It can change nothing but its own settings and caches, and sees neither the records of this console nor the credentials of other programs. Its network is open, since its model is there: what it can read it can send.",
};

/** All that is known of who acts; version and mode are words of the program. */
export function wordsOfActing({ level, version, mode, untried }: Omit<Acting, "agent">): string {
  return [
    wordsOfLevel[level],
    version && `Version ${version}.`,
    untried && "That its own tools are gone was tried with another version only.",
    mode && `Its own mode: “${mode}”.`,
  ]
    .filter(Boolean)
    .join(" ");
}
