/** Which MCP servers an agent may use, and what is known of their tools. */
import type { Agent, McpState } from "../../../shared/contract/agents.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import { ProblemText } from "../../ui/problem-text.tsx";
import { CheckList } from "./check-list.tsx";
import { strings } from "./strings.ts";

type ServersFieldProps = {
  agent: Pick<Agent, "mcpServers" | "tools">;
  /** `undefined` while they are read. */
  servers: Output<"mcp.list">["servers"] | undefined;
  problem: string | undefined;
  onChange: (value: string[]) => void;
};

export function ServersField({ agent, servers, problem, onChange }: ServersFieldProps) {
  const known = servers ?? [];
  const names = [...new Set([...known.map(({ server }) => server.name), ...agent.mcpServers])];
  return (
    <>
      {problem && <ProblemText className="text-sm" lead={strings.server.listFailed} problem={problem} />}
      {servers && names.length === 0 && <p className="text-sm text-ink-2">{strings.noServers}</p>}
      <CheckList
        label={strings.serversTitle}
        entries={names.map((name) => {
          const state = known.find(({ server }) => server.name === name);
          return { id: name, label: name, hint: servers && describeServer(state, agent) };
        })}
        value={agent.mcpServers}
        onChange={onChange}
      />
    </>
  );
}

function describeServer(state: McpState | undefined, agent: ServersFieldProps["agent"]): string {
  if (!state) return strings.serverUnknown;
  if (!state.server.enabled) return strings.serverOff;
  if (state.problem) return state.problem;
  const names = state.tools.map((tool) => tool.name);
  if (names.length === 0) return strings.serverUntried;
  const lost =
    agent.mcpServers.includes(state.server.name) &&
    !names.some((name) => agent.tools?.includes(name) ?? true);
  return lost ? strings.serverNotChosen : strings.serverTools(names.length);
}
