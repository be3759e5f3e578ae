/** Every agent in a line each, with what can be done about it. */
import { Copy, FolderOutput, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Agent } from "../../../shared/contract/agents.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { AgentId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useAct } from "../../base/use-act.ts";
import { useReading } from "../../base/use-reading.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ProblemList } from "../../ui/problem-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { nameModel } from "../models/model-choice.ts";
import { formatOpened, type Opened, useAgentDrafts } from "./agent-draft.ts";
import { ListHead, RemoveDialog, StartButton } from "./list-parts.tsx";
import { strings } from "./strings.ts";

type AgentListProps = { known: Output<"agents.list">; onChanged: () => void };

export function AgentList({ known: { agents, problems }, onChanged }: AgentListProps) {
  const [removing, setRemoving] = useState<Agent>();
  const [exporting, setExporting] = useState<Agent>();
  return (
    <div className="flex flex-col gap-3">
      <ListHead hint={strings.listHint} add={strings.add} onAdd={() => open({ kind: "new" })} />
      <ProblemList title={strings.refusedFiles} problems={problems} hint={strings.refusedHint} />
      <RowList label={strings.list}>
        {agents.map((agent) => (
          <AgentRow
            key={agent.id}
            agent={agent}
            onExport={() => setExporting(agent)}
            onRemove={() => setRemoving(agent)}
          />
        ))}
      </RowList>
      {exporting && <ProjectDialog agent={exporting} onClose={() => setExporting(undefined)} />}
      {removing && (
        <RemoveAgent agent={removing} onClose={() => setRemoving(undefined)} onRemoved={onChanged} />
      )}
    </div>
  );
}

function open(opened: Opened): void {
  go({ view: "agents", id: formatOpened(opened) });
}

type AgentRowProps = { agent: Agent; onExport: () => void; onRemove: () => void };

function AgentRow({ agent, onExport, onRemove }: AgentRowProps) {
  const { id, name, builtIn } = agent;
  const unsaved = useAgentDrafts((drafts) => formatOpened({ kind: "agent", id }) in drafts);
  return (
    <li className="flex flex-wrap items-center gap-x-2 px-3 py-2">
      <button
        type="button"
        onClick={() => open({ kind: "agent", id })}
        className="min-w-0 flex-1 basis-36 rounded-sm text-left hover:underline"
      >
        <span className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
          <ForeignText text={name} />
          {builtIn && <Badge>{strings.builtIn}</Badge>}
          {unsaved && <Badge tone="warn">{strings.draft}</Badge>}
        </span>
        <span className="text-sm text-ink-2">{describeAgent(agent)}</span>
      </button>
      <StartButton agentId={id} name={name} />
      <IconButton label={strings.duplicate(name)} onClick={() => open({ kind: "copy", id })}>
        <Copy />
      </IconButton>
      <IconButton label={strings.project.action(name)} onClick={onExport}>
        <FolderOutput />
      </IconButton>
      <IconButton label={strings.remove(name)} disabled={builtIn} onClick={onRemove}>
        <Trash2 />
      </IconButton>
    </li>
  );
}

function describeAgent({ model, tools, subAgents, mcpServers }: Agent): string {
  return [
    model ? nameModel(model) : strings.defaultModel,
    tools ? strings.tools(tools.length) : strings.allTools,
    subAgents.length > 0 && strings.subAgents(subAgents.length),
    mcpServers.length > 0 && strings.servers(mcpServers.length),
  ]
    .filter(Boolean)
    .join(" · ");
}

function countUsers(threads: Iterable<ThreadSummary>, id: AgentId): number {
  let count = 0;
  for (const thread of threads) if (thread.agentId === id) count += 1;
  return count;
}

type RemoveAgentProps = { agent: Agent; onClose: () => void; onRemoved: () => void };

function RemoveAgent({ agent: { id, name }, onClose, onRemoved }: RemoveAgentProps) {
  const users = useThreads((state) => countUsers(state.byId.values(), id));
  return (
    <RemoveDialog
      title={strings.removeTitle(name)}
      text={strings.removeText(users)}
      confirm={strings.removeGo}
      remove={() => client().call("agents.remove", { id })}
      onClose={onClose}
      onRemoved={onRemoved}
    />
  );
}

const words = strings.project;
const formId = "langgraph-project";

function ProjectDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const home = useHost((state) => state.host?.home ?? "");
  const [folder, setFolder] = useState(`${home}/${agent.id}-langgraph`);
  const { value, problem: unread } = useReading(`project:${agent.id}`, () =>
    client().call("agents.project", { id: agent.id }),
  );
  const lost = value?.lost ?? [];
  const { problem, setProblem, act } = useAct();
  const [written, setWritten] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    return act(async () => {
      await client().call("agents.project", { id: agent.id, folder });
      setWritten(folder);
    });
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title(agent.name)}
      actions={
        <>
          <span className="flex-1" />
          <Button onClick={onClose}>{written === undefined ? common.cancel : common.close}</Button>
          {written === undefined && (
            <Button look="strong" type="submit" form={formId} disabled={lost.length === 0}>
              {words.go}
            </Button>
          )}
        </>
      }
    >
      {written === undefined ? (
        <form id={formId} className="flex flex-col gap-3 p-0.5" onSubmit={(event) => void submit(event)}>
          <p className="text-ink-2">{words.hint}</p>
          <TextField
            label={words.folder}
            value={folder}
            spellCheck={false}
            problem={problem ?? unread}
            onChange={(event) => {
              setFolder(event.target.value);
              setProblem(undefined);
            }}
          />
          {/* Below the field, which has the focus: it would scroll a list above it away. */}
          {lost.length > 0 && <p className="text-ink-2">{words.lost}</p>}
          <ul className="list-disc pl-5">
            {lost.map((one) => (
              <li key={one}>
                <ForeignText text={one} />
              </li>
            ))}
          </ul>
        </form>
      ) : (
        <div role="status" className="flex flex-col gap-3 [overflow-wrap:anywhere]">
          <p>{words.written(written)}</p>
          <p className="text-ink-2">{words.next}</p>
          <pre className="code-text">{words.commands}</pre>
        </div>
      )}
    </Dialog>
  );
}
