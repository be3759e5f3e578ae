/** Agents and MCP servers: their lists, or one agent opened. */
import { go } from "../../base/navigation.ts";
import { useAnswer, useReloadOnReturn } from "../../base/use-reading.ts";
import { Unanswered } from "../../ui/unanswered.tsx";
import { formatOpened, parseOpened } from "./agent-draft.ts";
import { AgentEditor } from "./agent-editor.tsx";
import { AgentList } from "./agent-list.tsx";
import { OuterPanel } from "./outer-panel.tsx";
import { RemotePanel } from "./remote-panel.tsx";
import { ServersPanel } from "./servers-panel.tsx";
import { strings } from "./strings.ts";
import { TabbedPane } from "./tabbed-pane.tsx";

const tabs = ["servers", "others", "remote"] as const;

export default function AgentsView({ id }: { id?: string }) {
  const agents = useAnswer("agents.list");
  useReloadOnReturn(agents.reload);
  const opened = parseOpened(id);
  if (!agents.value) {
    const { problem, reload } = agents;
    return (
      <Unanswered
        title={strings.listFailed}
        problem={problem}
        onRetry={reload}
        className="m-auto text-ink-3"
      />
    );
  }
  if (opened) {
    return (
      <AgentEditor key={formatOpened(opened)} opened={opened} known={agents.value} onReload={agents.reload} />
    );
  }
  return (
    <>
      <header className="bg-surface px-4 pt-2">
        <h1 className="text-xl font-semibold">{strings.title}</h1>
      </header>
      <TabbedPane
        label={strings.parts}
        value={tabs.find((tab) => tab === id) ?? "agents"}
        onChange={(tab) => go(tab === "agents" ? { view: "agents" } : { view: "agents", id: tab })}
        panes={[
          {
            id: "agents",
            label: strings.agentsTab,
            content: <AgentList known={agents.value} onChanged={agents.reload} />,
          },
          { id: "servers", label: strings.serversTab, content: <ServersPanel /> },
          { id: "others", label: strings.outerTab, content: <OuterPanel /> },
          { id: "remote", label: strings.remoteTab, content: <RemotePanel /> },
        ]}
      />
    </>
  );
}
