/** Answers the contract's calls about agents and MCP servers. */
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { Toolbox } from "../../agents/toolbox.ts";

type Names = Extract<keyof Handlers, `agents.${string}` | `mcp.${string}`>;

/** @returns a handler for each call about agents and MCP servers. */
export function createAgentHandlers(toolbox: Toolbox): Pick<Handlers, Names> {
  const { agents, servers } = toolbox;
  return {
    "agents.list": () => agents.list(),
    "agents.save": (agent) => agents.save(agent),
    "agents.remove"({ id }) {
      agents.remove(id);
      return {};
    },
    "agents.context": ({ threadId }) => agents.context(threadId),
    "agents.commands": ({ threadId }) => agents.commands(threadId),
    "mcp.list": () => servers.list(),
    "mcp.save": (server) => servers.save(server),
    "mcp.test": (server) => servers.test(server),
    "mcp.setToolClass"({ tool, digest, class: toolClass }) {
      servers.setToolClass(tool, digest, toolClass ?? undefined);
      return {};
    },
    async "mcp.remove"({ name }) {
      await servers.remove(name);
      return {};
    },
  };
}
