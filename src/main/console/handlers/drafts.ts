/** Answers the contract's calls about what a person writes before it is sent. */
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import { createDraftStore } from "../../threads/draft-store.ts";
import type { ConsoleParts } from "../console-parts.ts";

type Names = Extract<keyof Handlers, `drafts.${string}`>;

/** @returns a handler for each call about drafts. */
export function createDraftHandlers({ database, threads }: ConsoleParts): Pick<Handlers, Names> {
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
