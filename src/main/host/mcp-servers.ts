/** The MCP servers a person set up: kept in their file, tried on request, connected when an agent needs them. */
import type { StructuredTool } from "@langchain/core/tools";
import type { McpServer, McpState } from "../../shared/contract/agents.ts";
import type { Output } from "../../shared/contract/contract.ts";
import type { FileProblem } from "../../shared/contract/field-problem.ts";
import { createMcpStore, redact } from "../agent-files/mcp-store.ts";
import type { McpConnections } from "../agents/mcp/mcp-connections.ts";

/** Values of environments and headers never leave the host. */
export type McpServers = {
  /** With what was last known of each; nothing is started for it. */
  list(): Promise<{ servers: McpState[]; problems: FileProblem[] }>;
  /** @throws AgentFileError that names the field. */
  save(server: McpServer): Promise<Output<"mcp.save">>;
  test(server: McpServer): Promise<Output<"mcp.test">>;
  remove(name: string): Promise<void>;
  /** A server that does not answer is left out and named. */
  toolsOf(names: readonly string[]): ReturnType<McpConnections["toolsOf"]>;
  /** What is wrong in the file of the servers. */
  problems(): FileProblem[];
  close(): Promise<void>;
};

export function createMcpServers(dataDir: string): McpServers {
  const store = createMcpStore(dataDir);
  let connections: Promise<McpConnections> | undefined;
  const connect = () => {
    connections ??= import("../agents/mcp/mcp-connections.ts").then(({ createMcpConnections }) =>
      createMcpConnections({
        servers: () => store.list().servers,
        environment: environmentOf,
        cwd: dataDir,
      }),
    );
    return connections;
  };

  async function test(server: McpServer): Promise<Output<"mcp.test">> {
    const { tools, problem } = await (await connect()).test(server);
    return { server: redact(server), tools, problem };
  }

  return {
    async list() {
      const { servers, problems } = store.list();
      const known = await connections;
      const unknown = { connected: false, tools: [] };
      return {
        servers: servers.map((server) => ({
          server: redact(server),
          ...(known?.stateOf(server) ?? unknown),
        })),
        problems,
      };
    },
    async save(server) {
      const saved = store.save(server);
      (await connections)?.endOutdated();
      // One that is turned off is not started only to say that it would work.
      return saved.enabled ? test(saved) : { server: redact(saved), tools: [] };
    },
    test: async (server) => test(store.fillIn(server)),
    async remove(name) {
      store.remove(name);
      (await connections)?.endOutdated();
    },
    async toolsOf(names) {
      if (names.length === 0) return { tools: [] as StructuredTool[], problems: [] };
      return (await connect()).toolsOf(names);
    },
    problems: () => store.list().problems,
    close: async () => (await connections)?.close(),
  };
}

/** Server programs need to be found and to find their home; they get no keys but those configured for them. */
const passedOn = [
  "PATH",
  "HOME",
  "LANG",
  "USER",
  "LOGNAME",
  "SHELL",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SystemRoot",
  "APPDATA",
  "LOCALAPPDATA",
  "USERPROFILE",
  "PATHEXT",
  "ComSpec",
];

function environmentOf({ env }: { env: Record<string, string> }): Record<string, string> {
  const base = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return { ...base, ...env };
}
