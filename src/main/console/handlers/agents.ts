/** Answers the contract's calls about agents and MCP servers. */
import { ContractError } from "../../../shared/contract/errors.ts";
import { type Project, toProject } from "../../agents/langgraph-project/project.ts";
import { ProjectFolderError, writeProject } from "../../agents/langgraph-project/write-project.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";

/** @returns a handler for each call about agents and MCP servers. */
export function createAgentHandlers({ toolbox, models }: ConsoleParts): HandlersOf<"agents" | "mcp"> {
  const { agents, servers } = toolbox;
  return {
    "agents.list": () => agents.list(),
    "agents.save": (agent) => agents.save(agent),
    "agents.remove"({ id }) {
      agents.remove(id);
      return {};
    },
    async "agents.project"({ id, folder }) {
      const known = (await servers.list()).servers.map(({ server }) => server);
      return exportAgent(toProject(toolbox.agentOf(id), models.defaultModel(), known), folder);
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

function exportAgent(project: Project, folder: string | undefined): { lost: string[] } {
  try {
    if (folder !== undefined) writeProject(folder, project);
  } catch (error) {
    if (!(error instanceof ProjectFolderError)) throw error;
    throw new ContractError("invalid-input", error.message, { field: "folder" });
  }
  return { lost: project.lost };
}
