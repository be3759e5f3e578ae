/** Answers the contract's calls about agents of others: outer ones, of which none is started here, and remote servers. */
import { ContractError } from "../../../shared/contract/errors.ts";
import type { CommandId } from "../../../shared/ids.ts";
import { AgentFileError } from "../../agent-files/file-problem.ts";
import { findKnownAgents } from "../../agents/acp/find-known.ts";
import { readRegistry } from "../../agents/acp/registry.ts";
import { WebError } from "../../web/web-error.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { sendMessage } from "../thread-commands/send-message.ts";
import { titleOf } from "../thread-commands/thread-title.ts";

/** @returns a handler for each call about outer agents. */
export function createOuterAgentHandlers(parts: ConsoleParts): HandlersOf<"outerAgents"> {
  const { outerAgents, toolbox, pathKnown } = parts;
  return {
    "outerAgents.list": () => outerAgents.list(),
    "outerAgents.save"(agent) {
      if (toolbox.agents.list().agents.some(({ id }) => id === agent.id))
        throw new ContractError("invalid-input", "Another agent has this id already.", { field: "id" });
      return named(() => outerAgents.save(agent));
    },
    async "outerAgents.remove"({ id }) {
      await named(() => outerAgents.remove(id));
      return {};
    },
    async "outerAgents.find"() {
      await pathKnown;
      return { found: findKnownAgents(process.env.PATH ?? "") };
    },
    async "outerAgents.registry"() {
      await pathKnown;
      return readRegistry(parts.info.version, process.env.PATH ?? "").catch((error: unknown) => {
        if (!(error instanceof WebError)) throw error;
        throw new ContractError("unavailable", error.message);
      });
    },
  };
}

/**
 * File errors name their field; the contract carries it on.
 * @throws ContractError `invalid-input`
 */
async function named<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AgentFileError)) throw error;
    throw new ContractError("invalid-input", error.message, { field: error.field });
  }
}

/** @returns a handler for each call about remote servers. */
export function createRemoteServerHandlers(parts: ConsoleParts): HandlersOf<"remoteServers"> {
  const { serverDesk: desk, remoteServers: servers } = parts;
  return {
    "remoteServers.list": () => ({ servers: desk.list(), problems: servers.list().problems }),
    async "remoteServers.save"({ key, ...entered }) {
      const saved = await named(() => desk.save(entered, key));
      return "problem" in saved ? { ok: false, ...saved } : { ok: true, ...saved };
    },
    "remoteServers.look": ({ id }) => desk.lookNow(id),
    "remoteServers.assistants": async ({ id }) => ({ assistants: await desk.assistants(id) }),
    async "remoteServers.start"({ commandId, id, assistant, text }) {
      const threadId = await parts.once.act(commandId, () => desk.createThread(id, assistant, titleOf(text)));
      const first = { commandId: `${commandId}:first` as CommandId, threadId, text };
      await sendMessage({ ...first, attachments: [], whileWaiting: "queue" }, parts);
      return { threadId };
    },
    async "remoteServers.remove"({ id }) {
      await named(() => desk.remove(id));
      return {};
    },
  };
}
