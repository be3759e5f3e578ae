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
  /**
   * Calls a tool by the server's own name for it.
   * @param confirm is told the tools of the very connection that the call goes to, also of one that was opened anew
   * because the server lost the session; what it throws keeps the call from being sent.
   * @throws McpServerError, also when the server ended meanwhile.
   */
  callTool(
    name: string,
    args: unknown,
    options: RequestOptions,
    confirm: (tools: readonly Tool[]) => void,
  ): Promise<CallToolResult>;
  /** Ends the connection and the program behind it, also one that is still starting. */
  close(): Promise<void>;
};

const maxPages = 100;

/** What `listTools` and `callTool` throw besides is the signal's own reason. */
export function createServerConnection(server: McpServer, options: ConnectionOptions): ServerConnection {
  const link = createLink(server, options);

  async function request(open: OpenClient, name: string, args: unknown, how: RequestOptions) {
    const params = { name, arguments: args as Record<string, unknown> };
    const { callTimeoutMs } = options;
    // A server reports progress only to those who listen, and only then is the time started anew.
    const patience = { timeout: callTimeoutMs, resetTimeoutOnProgress: true, onprogress: () => {} };
    const result = await open.client.callTool(params, CallToolResultSchema, { ...how, ...patience });
    link.answered();
    return CallToolResultSchema.parse(result);
  }

  return {
    state: link.state,

    async listTools() {
      const open = await link.open();
      try {
        return await link.toolsOf(open);
      } catch (cause) {
        throw explainCall(server, link, cause);
      }
    },

    async callTool(name, args, how, confirm) {
      const callOn = async (client: OpenClient) => {
        confirm(await link.toolsOf(client));
        return request(client, name, args, how);
      };
      const open = link.open();
      const client = await open;
      try {
        return await callOn(client);
      } catch (cause) {
        // The server lost our session and said so instead of acting, so asking again in a new one acts once.
        if (how.signal?.aborted) throw how.signal.reason;
        if (![400, 404].includes(httpStatusOf(cause) ?? 0)) throw explainCall(server, link, cause);
      }
      try {
        return await callOn(await link.replace(open));
      } catch (cause) {
        if (how.signal?.aborted) throw how.signal.reason;
        throw explainCall(server, link, cause);
      }
    },

    close: link.close,
  };
}

type Link = Pick<ServerConnection, "state" | "close"> & {
  /** The connection, opened anew where there is none. @throws McpServerError */
  open(): Promise<OpenClient>;
  /** As listed last, until the server says that they changed. */
  toolsOf(open: OpenClient): Promise<Tool[]>;
  /** Replaces a connection that turned out lost, once for all calls that found out. */
  replace(lost: Promise<OpenClient>): Promise<OpenClient>;
  /** A call came back: whatever was wrong before is over. */
  answered(): void;
  noteProblem(problem: string): void;
  /** What the program wrote to its error output before it ended. */
  lastWords(): string;
};

/** Holds the one connection to a server, and what is known of it. */
function createLink(server: McpServer, options: ConnectionOptions): Link {
  const stopper = new AbortController();
  let opening: Promise<OpenClient> | undefined;
  let listed: { of: OpenClient; tools: Promise<Tool[]> } | undefined;
  let lastWords = "";
  let state: ServerState = { connected: false, tools: [] };

  function forget(problem = state.problem): void {
    opening = undefined;
    listed = undefined;
    state = { ...state, connected: false, problem };
  }

  function answered(): void {
    state = { connected: true, tools: state.tools };
  }

  function connect(): Promise<OpenClient> {
    if (stopper.signal.aborted)
      throw new McpServerError(server.name, `The MCP server ${server.name} was turned off or changed.`);
    const events = {
      onClosed(words: string) {
        if (opening !== attempt) return;
        lastWords = words;
        forget(describeEnd(server, words));
      },
      onToolsChanged() {
        listed = undefined;
      },
    };
    const attempt = openClient(server, options, events, stopper.signal);
    opening = attempt;
    attempt.then(
      () => {
        if (opening === attempt) answered();
      },
      (cause) => {
        if (opening !== attempt) return;
        forget(shortMessageOf(cause));
      },
    );
    return attempt;
  }

  return {
    state: () => state,
    open: () => opening ?? connect(),
    async toolsOf(open) {
      if (listed?.of !== open) listed = { of: open, tools: collectTools(open, options.startTimeoutMs) };
      const asked = listed;
      try {
        const tools = await asked.tools;
        state = { ...state, tools };
        return tools;
      } catch (cause) {
        if (listed === asked) listed = undefined;
        throw cause;
      }
    },
    replace(lost) {
      if (opening !== lost) return opening ?? connect();
      forget();
      lost.then(({ close }) => close()).catch(() => {});
      return connect();
    },
    answered,
    noteProblem(problem) {
      state = { ...state, connected: false, problem };
    },
    lastWords: () => lastWords,
    async close() {
      const old = opening;
      stopper.abort();
      forget();
      await old?.then(({ close }) => close()).catch(() => {});
    },
  };
}

/** What a call failed with, in words that say what to do; an abort stays what it is. */
function explainCall(server: McpServer, link: Link, cause: unknown): unknown {
  if (cause instanceof McpServerError || !(cause instanceof Error) || cause.name === "AbortError")
    return cause;
  if (isConnectionClosed(cause)) return explainLoss(server, cause, link.lastWords());
  if (!isUnreachable(cause))
    return new McpServerError(
      server.name,
      `The MCP server ${server.name} answered: ${hideSecrets(server, shortMessageOf(cause))}`,
      { cause },
    );
  const lost = explainLoss(server, cause, "");
  link.noteProblem(lost.message);
  return lost;
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
