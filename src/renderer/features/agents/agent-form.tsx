/** An agent as a form. */
import type { ReactNode } from "react";
import type { Agent, McpState } from "../../../shared/contract/agents.ts";
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import { problemOf } from "../../base/field-problems.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import type { KnownTool } from "./agent-draft.ts";
import { OwnModelField, ToolsField } from "./agent-fields.tsx";
import { InterruptField } from "./interrupt-field.tsx";
import { ServersField } from "./servers-field.tsx";
import { strings } from "./strings.ts";
import { SubAgentsField } from "./sub-agents-field.tsx";

type AgentFormProps = {
  draft: Agent;
  tools: readonly KnownTool[];
  problems: readonly FieldProblem[];
  onChange: (draft: Agent) => void;
};

export function AgentForm({ draft, tools: ownTools, problems, onChange }: AgentFormProps) {
  const servers = useAnswer("mcp.list");
  const tools = [...ownTools, ...toolsOfServers(draft, servers.value?.servers ?? [])];
  const change = (next: Partial<Agent>) => onChange({ ...draft, ...next });
  return (
    <fieldset disabled={draft.builtIn} className="flex flex-col gap-5 pb-6">
      <TextField
        label={strings.name}
        value={draft.name}
        maxLength={80}
        problem={problemOf("name", problems)}
        onChange={(event) => change({ name: event.target.value })}
        className="max-w-96"
      />
      <TextArea
        label={strings.prompt}
        placeholder={strings.promptHint}
        value={draft.prompt}
        problem={problemOf("prompt", problems)}
        onChange={(event) => change({ prompt: event.target.value })}
      />
      <Part title={strings.model}>
        <OwnModelField
          value={draft.model}
          problems={{
            model: problemOf("model.model", problems),
            baseUrl: problemOf("model.baseUrl", problems),
          }}
          onChange={(model) => change({ model })}
        />
      </Part>
      <Part title={strings.toolsTitle}>
        <ToolsField value={draft.tools} tools={tools} onChange={(chosen) => change({ tools: chosen })} />
      </Part>
      <Part title={strings.serversTitle}>
        <ServersField
          agent={draft}
          servers={servers.value?.servers}
          problem={servers.problem}
          onChange={(mcpServers) => change({ mcpServers })}
        />
      </Part>
      <Part title={strings.asking} hint={strings.askingHint}>
        <InterruptField
          value={draft.interruptOn}
          tools={tools}
          onChange={(interruptOn) => change({ interruptOn })}
        />
      </Part>
      <Part title={strings.subTitle} hint={strings.subHint}>
        <SubAgentsField
          value={draft.subAgents}
          tools={tools}
          problems={problems}
          onChange={(subAgents) => change({ subAgents })}
        />
      </Part>
    </fieldset>
  );
}

/** What the chosen servers offer; all of it asks until the agent says otherwise. */
function toolsOfServers({ mcpServers }: Agent, servers: readonly McpState[]): KnownTool[] {
  return servers
    .filter(({ server }) => mcpServers.includes(server.name))
    .flatMap(({ tools }) => tools.map((tool) => ({ ...tool, askedByDefault: true })));
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <div>
        <h2 className="font-semibold">{title}</h2>
        {hint && <p className="text-sm text-ink-2">{hint}</p>}
      </div>
      {children}
    </section>
  );
}
