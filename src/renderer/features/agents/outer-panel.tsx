/** The agents of other programs that a person set up: added by hand or from what is found here, started, removed. */
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import { wordsOfLevel } from "../../base/acting-words.ts";
import { client } from "../../base/client.ts";
import { useAnswer, useReloadOnReturn } from "../../base/use-reading.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ProblemList } from "../../ui/problem-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { Unanswered } from "../../ui/unanswered.tsx";
import { FromRegistry } from "./from-registry.tsx";
import { ListHead, RemoveDialog, StartButton } from "./list-parts.tsx";
import { OuterDialog } from "./outer-dialog.tsx";
import { ProgramWords } from "./program-words.tsx";
import { strings } from "./strings.ts";

const words = strings.outer;

export function OuterPanel() {
  const { value, problem, reload } = useAnswer("outerAgents.list");
  useReloadOnReturn(reload);
  const [editing, setEditing] = useState<{ agent?: OuterAgent; isNew: boolean }>();
  const [removing, setRemoving] = useState<OuterAgent>();
  if (!value) return <Unanswered title={words.listFailed} problem={problem} onRetry={reload} />;
  return (
    <div className="flex flex-col gap-3">
      <ListHead
        hint={`${words.hint} ${wordsOfLevel.asking} ${words.governed}`}
        add={words.add}
        onAdd={() => setEditing({ isNew: true })}
      />
      <ProblemList title={words.refused} problems={value.problems} hint={strings.refusedHint} />
      {value.agents.length === 0 ? (
        <EmptyState title={words.emptyTitle}>{words.emptyText}</EmptyState>
      ) : (
        <RowList label={words.list}>
          {value.agents.map((agent) => (
            <OuterRow
              key={agent.id}
              agent={agent}
              onChange={() => setEditing({ agent, isNew: false })}
              onRemove={() => setRemoving(agent)}
            />
          ))}
        </RowList>
      )}
      <FoundHere known={value.agents} onAdd={(agent) => setEditing({ agent, isNew: true })} />
      <FromRegistry known={value.agents} onAdd={(agent) => setEditing({ agent, isNew: true })} />
      {editing && (
        <OuterDialog
          {...editing}
          offers={value.offers[editing.agent?.id ?? ""] ?? []}
          onClose={() => setEditing(undefined)}
          onSaved={reload}
        />
      )}
      {removing && (
        <RemoveDialog
          title={strings.removeTitle(removing.name)}
          text={words.removeText}
          confirm={strings.removeGo}
          remove={() => client().call("outerAgents.remove", { id: removing.id })}
          onClose={() => setRemoving(undefined)}
          onRemoved={reload}
        />
      )}
    </div>
  );
}

type OuterRowProps = { agent: OuterAgent; onChange: () => void; onRemove: () => void };

function OuterRow({ agent, onChange, onRemove }: OuterRowProps) {
  const { id, name } = agent;
  return (
    <li className="flex flex-wrap items-center gap-x-2 px-3 py-2">
      <Program agent={agent} />
      <StartButton agentId={id} name={name} />
      <IconButton label={words.change(name)} onClick={onChange}>
        <Pencil />
      </IconButton>
      <IconButton label={strings.remove(name)} onClick={onRemove}>
        <Trash2 />
      </IconButton>
    </li>
  );
}

function Program({ agent: { name, command, args } }: { agent: OuterAgent }) {
  return (
    <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
      <h2 className="font-medium">
        <ForeignText text={name} />
      </h2>
      <ProgramWords command={command} args={args} />
    </div>
  );
}

/** Looked for by name: nothing is started, and nothing is set up before a person says so. */
function FoundHere({ known, onAdd }: { known: readonly OuterAgent[]; onAdd: (agent: OuterAgent) => void }) {
  const { value } = useAnswer("outerAgents.find");
  const found = value?.found.filter(({ agent }) => !known.some(({ id }) => id === agent.id)) ?? [];
  if (found.length === 0) return null;
  return (
    <section aria-label={words.found} className="flex flex-col gap-2">
      <h2 className="font-medium">{words.found}</h2>
      <p className="text-sm text-ink-2">{words.foundHint}</p>
      <RowList>
        {found.map(({ agent }) => (
          <li key={agent.id} className="flex flex-wrap items-center gap-x-2 px-3 py-2">
            <Program agent={agent} />
            <Button small aria-label={words.addNamed(agent.name)} onClick={() => onAdd(agent)}>
              {words.addFound}
            </Button>
          </li>
        ))}
      </RowList>
    </section>
  );
}
