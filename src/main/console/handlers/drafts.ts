/** Answers the contract's calls about what a person writes before it is sent. */
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { DraftStore } from "../../threads/draft-store.ts";
import type { ThreadStore } from "../../threads/thread-store.ts";

type Names = Extract<keyof Handlers, `drafts.${string}`>;

/** @returns a handler for each call about drafts. */
export function createDraftHandlers(drafts: DraftStore, threads: ThreadStore): Pick<Handlers, Names> {
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
