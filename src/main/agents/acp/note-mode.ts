/** Keeps and tells in which mode an outer agent decides what it asks about, in a turn and between two. */
import type { SessionNotification } from "@agentclientprotocol/sdk";
import { withoutQuotes } from "../../../shared/foreign-words.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import type { SourceServices } from "../source.ts";
import type { KeptSessions } from "./kept-session.ts";
import { modeIn } from "./session-options.ts";
import { tellThread } from "./tell-thread.ts";
import type { TurnBounds } from "./turn-text.ts";

export type ModeParts = {
  kept: KeptSessions;
  services: SourceServices;
  bounds: Pick<TurnBounds, "countItem">;
};

/** @throws TurnStopped when it was changed more often than the bounds let it */
export function noteMode(
  { kept, services, bounds }: ModeParts,
  threadId: ThreadId,
  told: SessionNotification["update"],
): void {
  const said = modeIn(told);
  const mode = said === undefined ? undefined : shortenText(said, 200);
  if (mode === undefined || kept.of(threadId).mode === mode) return;
  bounds.countItem();
  kept.note(threadId, { mode });
  tellThread(services, threadId, newMode(mode));
}

const newMode = (mode: string) =>
  `The agent changed its mode to “${withoutQuotes(mode)}”. What it asks about may be different from now on.`;
