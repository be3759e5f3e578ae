/**
 * Answers the contract's calls about threads, what is written in them before it is sent, and threads of the deepagents CLI;
 * each handler is short, the work is in the thread commands and stores.
 */
import { ContractError } from "../../../shared/contract/errors.ts";
import { createAutoApproveDesk } from "../../engine/auto-approve-desk.ts";
import { createDraftStore } from "../../threads/draft-store.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { listSessions, takeSession } from "../deepagents-import.ts";
import { createThread } from "../thread-commands/create-thread.ts";
import { cancelQueued, deleteThread, stopThread } from "../thread-commands/end-thread.ts";
import { forkThread } from "../thread-commands/fork-thread.ts";
import { requireAbility } from "../thread-commands/require-ability.ts";
import { sendMessage } from "../thread-commands/send-message.ts";
import { watchThread } from "../thread-feed.ts";
import { diskUse, exportThread, importThread, pruneThread } from "../thread-transfer.ts";

type Part = Partial<HandlersOf<"threads">>;

/** @returns a handler for each call about threads. */
export function createThreadHandlers(parts: ConsoleParts): HandlersOf<"threads"> {
  const autoApproveDesk = createAutoApproveDesk(parts);
  return {
    ...whatAThreadDoes(parts),
    ...howAThreadIsSet(parts),
    ...whatAThreadSays(parts),
    ...howAThreadIsStored(parts),
    "threads.setAutoApprove": (input) => autoApproveDesk.set(input),
    "threads.previewAutoApprove": (input) => autoApproveDesk.preview(input),
    "threads.stopAllAutoApprove": () => ({
      stopped: parts.autoApprove.turnAllOff("you stopped all switches"),
    }),
  };
}

/** From its first message to its end. */
function whatAThreadDoes(parts: ConsoleParts) {
  const { threads, actors } = parts;
  return {
    "threads.create": (input) => createThread(input, parts),
    "threads.send": (input) => sendMessage(input, parts),
    "threads.cancelQueued"(input) {
      cancelQueued(input, parts);
      return {};
    },
    async "threads.stop"({ threadId }) {
      threads.get(threadId);
      await stopThread(threadId, parts);
      return {};
    },
    "threads.resume"({ threadId }) {
      requireAbility(threadId, "resume", parts);
      if (!actors.isRunning(threadId)) threads.takeModelOfThread(threadId);
      actors.resume(threadId);
      return {};
    },
    "threads.fork": (input) => forkThread(input, parts),
    async "threads.delete"({ threadId }) {
      threads.get(threadId);
      return deleteThread(threadId, parts);
    },
  } satisfies Part;
}

/** Its title, its flags, and whom its messages go to. */
function howAThreadIsSet(parts: ConsoleParts) {
  const { threads } = parts;
  return {
    "threads.rename"({ threadId, title }) {
      threads.get(threadId);
      threads.update(threadId, { title, titled: true });
      return {};
    },
    "threads.setModel"({ threadId, model }) {
      requireAbility(threadId, "chooseModel", parts);
      threads.update(threadId, { model });
      return {};
    },
    "threads.setAgent"({ threadId, agentId }) {
      requireAbility(threadId, "chooseAgent", parts);
      const agent = parts.toolbox.agentOf(agentId);
      if (agent.id !== agentId)
        throw new ContractError("not-found", "There is no such agent, or its file cannot be used.", {
          field: "agentId",
        });
      threads.update(threadId, { agent_id: agentId, ...(agent.model && { model: agent.model }) });
      return {};
    },
    "threads.chooseWorktree"({ threadId, wanted }) {
      parts.worktrees.choose(threadId, wanted);
      return {};
    },
    "threads.setFlags"({ threadId, ...flags }) {
      threads.get(threadId);
      threads.update(
        threadId,
        Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
      );
      return {};
    },
  } satisfies Part;
}

/** Its items, read by page, by id, by words and as they come. */
function whatAThreadSays({ threads, log, changes, liveText }: ConsoleParts) {
  return {
    "threads.page": ({ threadId, limit, ...place }) => log.page(threadId, limit, place),
    "threads.item"({ threadId, itemId }) {
      const item = log.item(threadId, itemId);
      if (!item)
        throw new ContractError("not-found", "This is not in the thread any more.", { field: "itemId" });
      return item;
    },
    "threads.search": ({ query, limit }) => ({ hits: log.search(query, limit) }),
    "threads.find"({ threadId, query, limit }, { signal }) {
      threads.get(threadId);
      return log.find(threadId, query, limit, signal);
    },
    "threads.watch"(input, { signal }) {
      if (!threads.find(input.threadId))
        throw new ContractError("not-found", "This thread does not exist any more.", { field: "threadId" });
      return watchThread({ changes, log, live: liveText }, input, signal);
    },
  } satisfies Part;
}

/** What it takes on the disk, and the file it travels as. */
function howAThreadIsStored(parts: ConsoleParts) {
  return {
    "threads.diskUse": ({ threadId }) => diskUse(threadId, parts),
    "threads.prune": (input) => pruneThread(input, parts),
    async "threads.export"({ threadId }) {
      requireAbility(threadId, "export", parts);
      return exportThread(threadId, parts);
    },
    "threads.import": (input) => importThread(input, parts),
  } satisfies Part;
}

/** @returns a handler for each call about them. */
export function createDeepagentsHandlers(parts: ConsoleParts): HandlersOf<"deepagents"> {
  return {
    "deepagents.threads": () => listSessions(parts),
    "deepagents.import": (input) => takeSession(input, parts),
  };
}

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
