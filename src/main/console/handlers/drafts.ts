/** Answers the contract's calls about what a person writes before it is sent. */
import { createDraftStore } from "../../threads/draft-store.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";

/** @returns a handler for each call about drafts. */
export function createDraftHandlers({ database, threads }: ConsoleParts): HandlersOf<"drafts"> {
  const drafts = createDraftStore(database);
  return {
    "drafts.get"({ threadId }) {
      threads.get(threadId);
      return drafts.of(threadId);
    },
    "drafts.set"({ threadId, draft }) {
      drafts.set(threadId, draft);
      return {};
    },
    "drafts.history"({ threadId, limit }) {
      threads.get(threadId);
      return { texts: drafts.sentBefore(threadId, limit) };
    },
  };
}
