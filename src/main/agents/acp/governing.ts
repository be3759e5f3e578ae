/** How the own tools of agents that are known are switched off at their start, so that ours are what they have. */
import { basename, join } from "node:path";
import type { McpServer } from "@agentclientprotocol/sdk";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import { fetchedPackage, isExact } from "../../../shared/fetched-package.ts";

/** The program through which an agent reaches our tools. */
export type ToolProgram = { command: string; args: readonly string[] };

/** With what an agent is started, and its session opened, so that it is governed. */
export type Governing = {
  environment: Readonly<Record<string, string>>;
  mcpServers: McpServer[];
  /** For the session, in the agent's own words. */
  meta?: Record<string, unknown>;
  /** In which mode it is, whatever a person or a file of the folder chose. */
  options?: Readonly<Record<string, string>>;
  /** Where it keeps its own settings, sessions and caches; with a point in the last name, a file. */
  ownPlaces(variables: Variables): string[];
};

type Variables = Readonly<Record<string, string>> & { HOME: string };

/** In the home, or where a variable says that such things are kept. */
const inHome = ({ HOME }: Variables, name: string) => join(HOME, name);
const inFolderOf = (variables: Variables, variable: string, usual: string) =>
  variables[variable] || inHome(variables, usual);

export type WayToGovern = (tools: ToolProgram) => Governing;

/** The name under which agents know our tools. */
export const toolServer = "countersign";

/** A person may take days to decide. */
const waitSeconds = 7 * 24 * 3_600;

const serverOf = ({ command, args }: ToolProgram): McpServer => ({
  name: toolServer,
  command,
  args: [...args],
  env: [],
});

const claude: WayToGovern = (tools) => ({
  // Read by the program that waits for our answer; it would give up after a minute.
  environment: { MCP_TOOL_TIMEOUT: String(waitSeconds * 1_000) },
  mcpServers: [serverOf(tools)],
  // Without settings no hook and no server of a folder is started either.
  meta: {
    claudeCode: { options: { tools: [], settingSources: [], allowedTools: [`mcp__${toolServer}__*`] } },
  },
  ownPlaces: (variables) => [
    inHome(variables, ".claude"),
    inHome(variables, ".claude.json"),
    join(inFolderOf(variables, "XDG_CACHE_HOME", ".cache"), "claude-cli-nodejs"),
  ],
});

/** Its server stands in its configuration: what is handed over with a session has no time limit to set. */
const codex: WayToGovern = ({ command, args }) => ({
  environment: {
    INITIAL_AGENT_MODE: "read-only",
    CODEX_CONFIG: JSON.stringify({
      features: { shell_tool: false, unified_exec: false },
      mcp_servers: {
        [toolServer]: {
          command,
          args,
          tool_timeout_sec: waitSeconds,
          default_tools_approval_mode: "approve",
        },
      },
    }),
  },
  mcpServers: [],
  // A file of the folder can name another one; it is read back.
  options: { mode: "read-only" },
  ownPlaces: (variables) => [inFolderOf(variables, "CODEX_HOME", ".codex")],
});

const openCode: WayToGovern = (tools) => ({
  environment: {
    OPENCODE_PERMISSION: JSON.stringify({ "*": "deny", [`${toolServer}_*`]: "allow" }),
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
  },
  mcpServers: [serverOf(tools)],
  ownPlaces: (variables) =>
    Object.entries({
      XDG_CONFIG_HOME: ".config",
      XDG_DATA_HOME: ".local/share",
      XDG_STATE_HOME: ".local/state",
      XDG_CACHE_HOME: ".cache",
    }).map(([variable, usual]) => join(inFolderOf(variables, variable, usual), "opencode")),
});

/** By the program's name, or its package's, and its words; any other word could give back what is switched off. */
const ways: readonly Known[] = [
  {
    program: "claude-agent-acp",
    package: "@agentclientprotocol/claude-agent-acp",
    args: [],
    way: claude,
    calls: "@agentclientprotocol/claude-agent-acp",
    tried: "0.100.0",
  },
  {
    program: "codex-acp",
    package: "@agentclientprotocol/codex-acp",
    args: [],
    way: codex,
    calls: "@agentclientprotocol/codex-acp",
    tried: "2.6.0",
  },
  {
    program: "opencode",
    package: "opencode-ai",
    args: ["acp"],
    way: openCode,
    calls: "OpenCode",
    tried: "1.18.33",
  },
];

type Known = {
  program: string;
  /** In npm's registry. */
  package: string;
  args: readonly string[];
  way: WayToGovern;
  /** What it calls itself once it runs. */
  calls: string;
  /** The version with which its own tools were seen to be gone. */
  tried: string;
};

/** @returns how it is governed, `undefined` where nobody knows how. */
export function wayToGovern(agent: Pick<OuterAgent, "command" | "args">): WayToGovern | undefined {
  return knownOf(agent)?.way;
}

/** Whether that was tried with another version than this one only. */
export function isUntried(agent: Pick<OuterAgent, "command" | "args">, version: string | undefined): boolean {
  const tried = knownOf(agent)?.tried;
  return tried !== undefined && tried !== version;
}

/** Whether it calls itself something else than the program of its name does: then nobody knows how its own tools are switched off. */
export function isAnother(agent: Pick<OuterAgent, "command" | "args">, named: string | undefined): boolean {
  const known = knownOf(agent);
  return known !== undefined && known.calls !== named;
}

/** The name of the program that runs, also where npx fetches its package. */
export function programOf(agent: Pick<OuterAgent, "command" | "args">): string {
  return knownOf(agent)?.program ?? basename(agent.command);
}

/** One that npx fetches is known where its version is exact and nothing of the folder can stand in for it. */
function knownOf({ command, args }: Pick<OuterAgent, "command" | "args">): Known | undefined {
  // A path that ends in a slash is a folder, which `basename` gives the name of a program.
  const program = command.endsWith("/") ? "" : basename(command);
  const direct = ways.find((one) => one.program === program && isSame(one.args, args));
  const fetched = program === "npx" ? fetchedPackage({ command, args }) : undefined;
  if (!fetched?.isApart || !isExact(fetched.runner, fetched.version)) return direct;
  return ways.find((one) => one.package === fetched.name && isSame(one.args, fetched.args));
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((word, index) => word === other[index]);
