/** Gives agents the tools of the MCP servers a person configured: started when first needed, ended with the host. */
import { createHash } from "node:crypto";
import type { StructuredTool } from "@langchain/core/tools";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { McpServer } from "../../../shared/contract/agents.ts";
import { shortMessageOf } from "./mcp-server-error.ts";
import {
  type ConnectionOptions,
  createServerConnection,
  type ServerConnection,
} from "./server-connection.ts";
import { loadServerTools, mcpToolName } from "./server-tools.ts";

export type McpConnectionsOptions = Pick<ConnectionOptions, "environment" | "cwd"> & {
  /** The servers as they are configured now; read at each use, so that a changed setting takes effect at once. */
  servers(): readonly McpServer[];
  /** 20 seconds when not given; `npx` may have to download a server first. */
  startTimeoutMs?: number;
  /** 5 minutes of silence when not given. */
  callTimeoutMs?: number;
};

/** A tool by the name agents use. */
export type NamedTool = {
  name: string;
  description: string;
  /** Of the whole description and the arguments; another one means another tool. */
  digest: string;
  /** What the server says of it. */
  hint?: "reads" | "changes";
};

export type KnownServer = { connected: boolean; tools: NamedTool[]; problem?: string };

export type McpConnections = {
  /** What is known of a server without asking it: its connection, or else its last test with this configuration. */
  stateOf(server: McpServer): KnownServer;
  /** The tools of these servers, and for each server that cannot be used a sentence that says why. Never throws. */
  toolsOf(
    names: readonly string[],
  ): Promise<{ tools: StructuredTool[]; problems: { server: string; message: string }[] }>;
  /** Starts a server of its own from this configuration, lists its tools by the names agents use, and ends it. Never throws. */
  test(server: McpServer): Promise<{ tools: NamedTool[]; problem?: string }>;
  /** Ends the servers that were removed, changed or turned off since they were started. */
  endOutdated(): void;
  /** Ends every server. The object can be used again afterwards. */
  close(): Promise<void>;
};

/** @param options read at each use, but for time limits. */
export function createMcpConnections(options: McpConnectionsOptions): McpConnections {
  const { servers, startTimeoutMs = 20_000, callTimeoutMs = 300_000, environment, cwd } = options;
  const connection: ConnectionOptions = { startTimeoutMs, callTimeoutMs, environment, cwd };
  /** How the last test went, for servers that no agent has needed since. */
  const tested = new Map<string, { config: string; tools: NamedTool[]; problem?: string }>();
  const live = createLiveServers(servers, (server) => {
    tested.delete(server.name);
    return createServerConnection(server, connection);
  });

  return {
    stateOf(server) {
      const now = live.stateOf(server);
      const last = tested.get(server.name);
      if (last?.config === JSON.stringify(server) && !now?.connected)
        return { connected: false, tools: last.tools, problem: last.problem };
      return now ? { ...now, tools: nameTools(server.name, now.tools) } : { connected: false, tools: [] };
    },

    async toolsOf(names) {
      const loaded = await Promise.all(
        [...new Set(names)].map(async (server) => {
          try {
            return { tools: await loadServerTools(server, () => live.connectionTo(server)), problems: [] };
          } catch (cause) {
            return { tools: [], problems: [{ server, message: shortMessageOf(cause) }] };
          }
        }),
      );
      return {
        tools: loaded.flatMap(({ tools }) => tools),
        problems: loaded.flatMap(({ problems }) => problems),
      };
    },

    async test(server) {
      const trial = createServerConnection(server, connection);
      const note = (outcome: { tools: NamedTool[]; problem?: string }) => {
        tested.set(server.name, { config: JSON.stringify(server), ...outcome });
        return outcome;
      };
      try {
        return note({ tools: nameTools(server.name, await trial.listTools()) });
      } catch (cause) {
        return note({ tools: [], problem: shortMessageOf(cause) });
      } finally {
        await trial.close();
      }
    },

    endOutdated: live.endOutdated,
    close: live.close,
  };
}

/** The connections that agents use, each with the configuration it was made from. */
function createLiveServers(
  servers: McpConnectionsOptions["servers"],
  connect: (server: McpServer) => ServerConnection,
) {
  const open = new Map<string, { config: string; connection: ServerConnection }>();
  const ending = new Set<Promise<void>>();

  function end(name: string, old: ServerConnection): void {
    open.delete(name);
    const ended = old.close().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  return {
    /** `undefined` where none was made from this configuration. */
    stateOf(server: McpServer) {
      const known = open.get(server.name);
      return known?.config === JSON.stringify(server) ? known.connection.state() : undefined;
    },

    /** The connection of a server as configured now; one that was changed or turned off meanwhile is ended. */
    connectionTo(name: string): ServerConnection {
      const server = servers().find((one) => one.name === name);
      const config = JSON.stringify(server);
      const known = open.get(name);
      if (known && server?.enabled && known.config === config) return known.connection;
      if (known) end(name, known.connection);
      if (!server) throw new Error(`There is no MCP server named ${name}. Add it, or take it off the agent.`);
      if (!server.enabled)
        throw new Error(`The MCP server ${name} is turned off. Turn it on to use its tools.`);
      const made = connect(server);
      open.set(name, { config, connection: made });
      return made;
    },

    endOutdated(): void {
      for (const [name, { config, connection: old }] of open) {
        const server = servers().find((one) => one.name === name);
        if (!server?.enabled || JSON.stringify(server) !== config) end(name, old);
      }
    },

    async close(): Promise<void> {
      for (const [name, { connection }] of open) end(name, connection);
      await Promise.all(ending);
    },
  };
}

/** Listings are shown, and a server may describe a tool at any length. */
const maxDescriptionChars = 300;
const maxListedTools = 1_000;

function nameTools(server: string, tools: readonly Tool[]): NamedTool[] {
  return tools.slice(0, maxListedTools).map(({ name, description = "", inputSchema, annotations }) => ({
    name: mcpToolName(server, name),
    digest: createHash("sha256")
      .update(JSON.stringify([name, description, inputSchema, annotations ?? null]))
      .digest("hex"),
    ...(annotations?.readOnlyHint !== undefined && {
      hint: annotations.readOnlyHint ? ("reads" as const) : ("changes" as const),
    }),
    description:
      description.length > maxDescriptionChars
        ? `${description.slice(0, maxDescriptionChars)}…`
        : description,
  }));
}
