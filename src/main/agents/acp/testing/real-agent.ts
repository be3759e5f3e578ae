/** How a real agent is started in a test: against the scripted model, with a home of its own, and made to ask. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { OuterAgent } from "../../../../shared/contract/outer-agents.ts";
import type { AgentId } from "../../../../shared/ids.ts";

export type RealAgent = {
  id: string;
  name: string;
  version: string;
  /** Absent where it is installed; else why it is not. */
  missing?: string;
  /** How it calls its own tools. */
  command(line: string): { tool: string; args: Record<string, unknown> };
  /** How its model names a tool of ours; absent where nobody knows how it is governed. */
  ours?: (tool: string) => string;
  agent(): OuterAgent;
  /** @param home a folder of its own. @param url where the model is */
  environment(home: string, url: string): Record<string, string>;
};

/** An agent of an exact version, and its program in the folder that it is installed into. */
export type Listed = { id: string; name: string; version: string; package: string; program: string };

/** What `npm run test:agents` installs. */
export const listedAgents = JSON.parse(
  readFileSync(new URL("real-agents.json", import.meta.url), "utf8"),
) as Listed[];
/** Where it installs them. */
const folder = process.env.COUNTERSIGN_AGENTS ?? "";

const nowhere = "http://127.0.0.1:9";

type How = Pick<RealAgent, "command" | "ours"> & {
  args: string[];
  /** Writes its settings and names its variables. */
  setUp(home: string, url: string): Record<string, string>;
};

const bash = (tool: string) => (command: string) => ({ tool, args: { command, description: "A step" } });

const ways: Record<string, How> = {
  claude: {
    args: [],
    command: bash("Bash"),
    ours: (tool) => `mcp__countersign__${tool}`,
    setUp: (_home, url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-ant-none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    }),
  },
  codex: {
    args: [],
    ours: (tool) => `mcp__countersign__${tool}`,
    // It asks only to leave its own sandbox.
    command: (cmd) => ({
      tool: "exec_command",
      args: { cmd, sandbox_permissions: "require_escalated", justification: "A step" },
    }),
    setUp(home, url) {
      const codexHome = join(home, ".codex");
      mkdirSync(codexHome, { recursive: true });
      writeFileSync(join(codexHome, "config.toml"), codexConfig(url));
      return { CODEX_HOME: codexHome, MODEL_KEY: "x", NO_BROWSER: "1", INITIAL_AGENT_MODE: "read-only" };
    },
  },
  opencode: {
    args: ["acp"],
    command: bash("bash"),
    ours: (tool) => `countersign_${tool}`,
    setUp(home, url) {
      // Where it looks by itself, and may write when it is confined.
      const config = join(home, ".config/opencode/opencode.json");
      mkdirSync(dirname(config), { recursive: true });
      writeFileSync(config, JSON.stringify(openCodeConfig(url)));
      return {
        OPENCODE_CONFIG: config,
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      };
    },
  },
  gemini: {
    args: ["--acp"],
    command: bash("run_shell_command"),
    setUp(home, url) {
      mkdirSync(join(home, ".gemini"), { recursive: true });
      writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(geminiSettings));
      return { GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "true" };
    },
  },
  qwen: {
    args: ["--acp"],
    command: (command) => ({ tool: "run_shell_command", args: { command, is_background: false } }),
    setUp(home, url) {
      mkdirSync(join(home, ".qwen"), { recursive: true });
      writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify(qwenSettings));
      return { OPENAI_API_KEY: "x", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" };
    },
  },
};

const codexConfig = (url: string) => `model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`;

const openCodeConfig = (url: string) => ({
  autoupdate: false,
  share: "disabled",
  model: "scripted/scripted",
  small_model: "scripted/scripted",
  provider: {
    scripted: {
      npm: "@ai-sdk/openai-compatible",
      name: "scripted",
      options: { baseURL: `${url}/v1`, apiKey: "x" },
      models: { scripted: { name: "scripted", tool_call: true, limit: { context: 100_000, output: 8_000 } } },
    },
  },
  permission: { "*": "ask" },
});

const geminiSettings = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
};

const qwenSettings = {
  security: { auth: { selectedType: "openai" } },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
};

/** Every agent of the list, whether it is installed or not. */
export const realAgents: RealAgent[] = listedAgents.map((listed) => {
  const { id, version, program } = listed;
  return realAgentAt(listed, join(folder, `${id}-${version}`, program));
});

/** The agent whose program is this file, if there is one. */
export function realAgentAt({ id, name, version }: Listed, file: string): RealAgent {
  const { args, command, ours, setUp } = ways[id]!;
  return {
    id,
    name,
    version,
    ...(!existsSync(file) && { missing: `${name} ${version} is not installed (npm run test:agents does)` }),
    command,
    ...(ours && { ours }),
    agent: () => ({ id: id as AgentId, name, command: file, args }),
    environment(home, url) {
      mkdirSync(home, { recursive: true });
      return {
        // Their programs name Node by its name.
        PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: home,
        LANG: "C.UTF-8",
        TERM: "dumb",
        // Whatever it would fetch from elsewhere fails at once.
        HTTPS_PROXY: nowhere,
        NO_PROXY: "127.0.0.1,localhost",
        XDG_CONFIG_HOME: join(home, ".config"),
        XDG_DATA_HOME: join(home, ".local/share"),
        XDG_STATE_HOME: join(home, ".local/state"),
        XDG_CACHE_HOME: join(home, ".cache"),
        ...setUp(home, url),
      };
    },
  };
}
