/** Answers the contract's calls about threads; each handler is short, the work is in the actors and stores. */
import { ContractError } from "../../../shared/contract/errors.ts";
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { AutoApproveSwitch } from "../../approvals/auto-approve.ts";
import type { AutoApproveDesk } from "../../engine/auto-approve-desk.ts";
import type { EventLog } from "../../threads/event-log.ts";
import type { ThreadActors } from "../../threads/thread-actors.ts";
import type { ThreadStore } from "../../threads/thread-store.ts";
import type { ThreadDesk } from "../thread-desk.ts";
import { type ThreadSource, watchThread } from "../thread-feed.ts";
import type { ThreadTransfer } from "../thread-transfer.ts";

export type ThreadHandlerParts = {
  store: ThreadStore;
  log: EventLog;
  actors: ThreadActors;
  autoApprove: AutoApproveSwitch;
  autoApproveDesk: AutoApproveDesk;
  source: ThreadSource;
  desk: ThreadDesk;
  transfer: ThreadTransfer;
};

type Names = Extract<keyof Handlers, `threads.${string}`>;

export function createThreadHandlers(parts: ThreadHandlerParts): Pick<Handlers, Names> {
  const { store, log, actors, autoApprove, desk, transfer } = parts;
  return {
    "threads.create": (input) => desk.create(input),
    "threads.send": (input) => desk.send(input),
    "threads.cancelQueued"({ threadId, messageId }) {
      desk.cancelQueued(threadId, messageId);
      return {};
    },
    async "threads.stop"({ threadId }) {
      store.get(threadId);
      await desk.stop(threadId);
      return {};
    },
    "threads.resume"({ threadId }) {
      store.get(threadId);
      actors.resume(threadId);
      return {};
    },
    "threads.fork": (input) => desk.fork(input),
    "threads.rename"({ threadId, title }) {
      store.get(threadId);
      store.update(threadId, { title, titled: true });
      return {};
    },
    "threads.setModel"({ threadId, model }) {
      store.get(threadId);
      store.update(threadId, { model });
      return {};
    },
    "threads.setFlags"({ threadId, ...flags }) {
      store.get(threadId);
      store.update(
        threadId,
        Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
      );
      return {};
    },
    async "threads.delete"({ threadId }) {
      store.get(threadId);
      await desk.remove(threadId);
      return {};
    },
    "threads.page": ({ threadId, limit, ...place }) => log.page(threadId, limit, place),
    "threads.item"({ threadId, itemId }) {
      const item = log.item(threadId, itemId);
      if (!item)
        throw new ContractError("not-found", "This is not in the thread any more.", { field: "itemId" });
      return item;
    },
    "threads.search": ({ query, limit }) => ({ hits: log.search(query, limit) }),
    "threads.find"({ threadId, query, limit }, { signal }) {
      store.get(threadId);
      return log.find(threadId, query, limit, signal);
    },
    "threads.setAutoApprove": (input) => parts.autoApproveDesk.set(input),
    "threads.previewAutoApprove": (input) => parts.autoApproveDesk.preview(input),
    "threads.stopAllAutoApprove": () => ({ stopped: autoApprove.turnAllOff("you stopped all switches") }),
    "threads.diskUse": ({ threadId }) => transfer.diskUse(threadId),
    "threads.prune": (input) => transfer.prune(input),
    "threads.export": ({ threadId }) => transfer.exportThread(threadId),
    "threads.import": (input) => transfer.importThread(input),
    "threads.watch"(input, { signal }) {
      if (!store.find(input.threadId))
        throw new ContractError("not-found", "This thread does not exist any more.", { field: "threadId" });
      return watchThread(parts.source, input, signal);
    },
  };
}
