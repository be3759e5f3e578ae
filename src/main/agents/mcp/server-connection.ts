/** Keeps one MCP server connected: starts it at its first use, and starts it again at the next use after it ended. */
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { type CallToolResult, CallToolResultSchema, type Tool } from "@modelcontextprotocol/sdk/types.js";
import type { McpServer } from "../../../shared/contract/agents.ts";
import {
  describeEnd,
  explainLoss,
  hideSecrets,
  httpStatusOf,
  isConnectionClosed,
  isUnreachable,
  McpServerError,
  shortMessageOf,
} from "./mcp-server-error.ts";
import { type ClientOptions, type OpenClient, openClient } from "./open-client.ts";

export type ConnectionOptions = ClientOptions & {
  /** How long a call may stay silent; progress a server reports starts the time anew. */
  callTimeoutMs: number;
};

/** What was last known of a server. */
export type ServerState = {
  connected: boolean;
  /** As it listed them last; empty while it never did. */
  tools: Tool[];
  /** Why it cannot be used, or that it ended, in words a person reads; gone with the next success. */
  problem?: string;
};

export type ServerConnection = {
  state(): ServerState;
  /** The tools that can be called, in the server's order. @throws McpServerError */
  listTools(): Promise<Tool[]>;
  /** Calls a tool by the server's own name for it. @throws McpServerError, also when the server ended meanwhile. */
  callTool(name: string, args: unknown, options: RequestOptions): Promise<CallToolResult>;
  /** Ends the connection and the program behind it, also one that is still starting. */
  close(): Promise<void>;
};

const maxPages = 100;

export function createServerConnection(server: McpServer, options: ConnectionOptions): ServerConnection {
  const stopper = new AbortController();
  let opening: Promise<OpenClient> | undefined;
  let tools: Promise<Tool[]> | undefined;
  let lastWords = "";
  let state: ServerState = { connected: false, tools: [] };

  function forget(): void {
    opening = undefined;
    tools = undefined;
    state = { ...state, connected: false };
  }

  function noteProblem(problem: string): void {
    state = { ...state, connected: false, problem };
  }

  function ready(): Promise<OpenClient> {
    if (stopper.signal.aborted)
      throw new McpServerError(server.name, `The MCP server ${server.name} was turned off or changed.`);
    const events = {
      onClosed(words: string) {
        if (opening !== attempt) return;
        lastWords = words;
        forget();
        noteProblem(describeEnd(server, words));
      },
      onToolsChanged() {
        tools = undefined;
      },
    };
    const attempt = openClient(server, options, events, stopper.signal);
    opening = attempt;
    attempt.then(
      () => {
        if (opening === attempt) state = { connected: true, tools: state.tools };
      },
      (cause) => {
        if (opening !== attempt) return;
        forget();
        noteProblem(shortMessageOf(cause));
      },
    );
    return attempt;
  }

  /** Replaces a connection that turned out lost, once for all calls that found out. */
  function replace(lost: Promise<OpenClient>): Promise<OpenClient> {
    if (opening !== lost) return opening ?? ready();
    forget();
    lost.then(({ close }) => close()).catch(() => {});
    return ready();
  }

  async function request(open: OpenClient, name: string, args: unknown, how: RequestOptions) {
    const params = { name, arguments: args as Record<string, unknown> };
    const { callTimeoutMs } = options;
    // A server reports progress only to those who listen, and only then is the time started anew.
    const patience = { timeout: callTimeoutMs, resetTimeoutOnProgress: true, onprogress: () => {} };
    const result = await open.client.callTool(params, CallToolResultSchema, { ...how, ...patience });
    state = { connected: true, tools: state.tools };
    return CallToolResultSchema.parse(result);
  }

  return {
    state: () => state,

    async listTools() {
      const open = await (opening ?? ready());
      tools ??= collectTools(open, options.startTimeoutMs);
      try {
        const listed = await tools;
        state = { ...state, tools: listed };
        return listed;
      } catch (cause) {
        tools = undefined;
        throw explainCall(cause);
      }
    },

    async callTool(name, args, how) {
      const open = opening ?? ready();
      const client = await open;
      try {
        return await request(client, name, args, how);
      } catch (cause) {
        // The server lost our session and said so instead of acting, so asking again in a new one acts once.
        if (how.signal?.aborted) throw how.signal.reason;
        if (!isLostSession(cause)) throw explainCall(cause);
      }
      try {
        return await request(await replace(open), name, args, how);
      } catch (cause) {
        if (how.signal?.aborted) throw how.signal.reason;
        throw explainCall(cause);
      }
    },

    async close() {
      const old = opening;
      stopper.abort();
      forget();
      await old?.then(({ close }) => close()).catch(() => {});
    },
  };

  function explainCall(cause: unknown): unknown {
    if (cause instanceof McpServerError || !(cause instanceof Error) || cause.name === "AbortError")
      return cause;
    if (isConnectionClosed(cause)) return explainLoss(server, cause, lastWords);
    if (!isUnreachable(cause))
      return new McpServerError(
        server.name,
        `The MCP server ${server.name} answered: ${hideSecrets(server, shortMessageOf(cause))}`,
        { cause },
      );
    const lost = explainLoss(server, cause, "");
    noteProblem(lost.message);
    return lost;
  }
}

function isLostSession(cause: unknown): boolean {
  return [400, 404].includes(httpStatusOf(cause) ?? 0);
}

async function collectTools({ client }: OpenClient, timeout: number): Promise<Tool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const all: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout });
    all.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  // Tools that only run as background tasks cannot be called the ordinary way.
  return all.filter((tool) => tool.execution?.taskSupport !== "required");
}
