/** The MCP servers a person set up: kept in their file, tried on request, connected when an agent needs them. */
import type { StructuredTool } from "@langchain/core/tools";
import type { McpServer } from "../../shared/contract/agents.ts";
import type { Output } from "../../shared/contract/contract.ts";
import type { FileProblem } from "../../shared/contract/field-problem.ts";
import { createMcpStore, redact } from "../agent-files/mcp-store.ts";
import { createToolClasses, type ToolClass } from "../tools/tool-classes.ts";
import type { McpConnections, NamedTool } from "./mcp/mcp-connections.ts";

/** Values of environments and headers never leave the host. */
export type McpServers = {
  /** With what was last known of each; nothing is started for it. */
  list(): Promise<Output<"mcp.list">>;
  /** @throws AgentFileError that names the field. */
  save(server: McpServer): Promise<Output<"mcp.save">>;
  test(server: McpServer): Promise<Output<"mcp.test">>;
  remove(name: string): Promise<void>;
  /** A server that does not answer is left out and named. */
  toolsOf(names: readonly string[]): ReturnType<McpConnections["toolsOf"]>;
  /** What the person said of a tool, if the server still describes it so; undefined too when it is not connected. */
  classOf(tool: string): Promise<ToolClass | undefined>;
  setToolClass(tool: string, digest: string, toolClass: ToolClass | undefined): void;
  /** What is wrong in the file of the servers. */
  problems(): FileProblem[];
  close(): Promise<void>;
};

/**
 * @param pathKnown resolves once this process has the PATH that servers are to be found in; none is started before.
 * @param otherFile where the deepagents CLI keeps its servers
 */
export function createMcpServers(dataDir: string, pathKnown: Promise<void>, otherFile: string): McpServers {
  const store = createMcpStore(dataDir, otherFile);
  const classes = createToolClasses(dataDir);
  const withClasses = (tools: readonly NamedTool[]) =>
    tools.map((tool) => ({ ...tool, class: classes.classOf(tool.name, tool.digest) }));
  let connections: Promise<McpConnections> | undefined;
  const connect = () => {
    const loaded = Promise.all([import("./mcp/mcp-connections.ts"), pathKnown]);
    connections ??= loaded.then(([{ createMcpConnections }]) =>
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
    return { server: redact(server), tools: withClasses(tools), problem };
  }

  return {
    async list() {
      const { servers, problems } = store.list();
      const known = await connections;
      const others = store.others();
      const unknown = { connected: false, tools: [] };
      return {
        servers: servers.map((server) => {
          const state = known?.stateOf(server) ?? unknown;
          return { server: redact(server), ...state, tools: withClasses(state.tools) };
        }),
        problems,
        ...(others && { others: { ...others, servers: others.servers.map(redact) } }),
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
    async classOf(tool) {
      const known = await connections;
      const states = store.list().servers.map((server) => known?.stateOf(server));
      // Only what a connected server tells of its tool now counts, and two servers that give one name give none.
      const named = states.flatMap((state) =>
        state?.connected ? state.tools.filter(({ name }) => name === tool) : [],
      );
      return named.length === 1 ? classes.classOf(tool, named[0]!.digest) : undefined;
    },
    setToolClass: classes.set,
    problems: () => store.list().problems,
    close: async () => (await connections)?.close(),
  };
}

/** Server programs need to be found and to find their home; they get no keys but those configured for them. */
const passedOn =
  "PATH HOME LANG USER LOGNAME SHELL TMPDIR TEMP TMP SystemRoot APPDATA LOCALAPPDATA USERPROFILE PATHEXT ComSpec".split(
    " ",
  );

function environmentOf({ env }: { env: Record<string, string> }): Record<string, string> {
  const base = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return { ...base, ...env };
}
