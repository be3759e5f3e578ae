/** The agents of other programs that a person set up: added by hand or from what is found here, started, removed. */
import { Pencil, Play, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import { wordsOfLevel } from "../../base/acting-words.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useAnswer } from "../../base/use-answer.ts";
import { describeError } from "../../base/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ProblemList } from "../../ui/problem-list.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { OuterDialog } from "./outer-dialog.tsx";
import { startAgent } from "./start-agent.ts";
import { strings } from "./strings.ts";
import { useReloadOnReturn } from "./use-reload-on-return.ts";

const words = strings.outer;
const rows = "divide-y divide-line rounded-md border border-line bg-surface";

export function OuterPanel() {
  const { value, problem, reload } = useAnswer("outerAgents.list");
  useReloadOnReturn(reload);
  const [editing, setEditing] = useState<{ agent?: OuterAgent; isNew: boolean }>();
  const [removing, setRemoving] = useState<OuterAgent>();
  if (!value) {
    if (problem) return <ErrorState title={words.listFailed} problem={problem} onRetry={reload} />;
    return (
      <p role="status" className="text-ink-3">
        {common.loading}
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-4">
        <p className="max-w-[60ch] text-ink-2">
          {words.hint} {wordsOfLevel.asking}
        </p>
        <Button look="strong" onClick={() => setEditing({ isNew: true })} className="[&_svg]:size-3.5">
          <Plus aria-hidden />
          {words.add}
        </Button>
      </div>
      <ProblemList title={words.refused} problems={value.problems} hint={strings.refusedHint} />
      {value.agents.length === 0 ? (
        <EmptyState title={words.emptyTitle}>{words.emptyText}</EmptyState>
      ) : (
        <ul aria-label={words.list} className={rows}>
          {value.agents.map((agent) => (
            <OuterRow
              key={agent.id}
              agent={agent}
              onChange={() => setEditing({ agent, isNew: false })}
              onRemove={() => setRemoving(agent)}
            />
          ))}
        </ul>
      )}
      <FoundHere known={value.agents} onAdd={(agent) => setEditing({ agent, isNew: true })} />
      {editing && <OuterDialog {...editing} onClose={() => setEditing(undefined)} onSaved={reload} />}
      {removing && (
        <RemoveDialog agent={removing} onClose={() => setRemoving(undefined)} onRemoved={reload} />
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
      <Button
        small
        aria-label={strings.startNamed(name)}
        onClick={() => void startAgent({ agentId: id })}
        className="[&_svg]:size-3"
      >
        <Play aria-hidden />
        {strings.start}
      </Button>
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
      <h2 className="font-medium">{name}</h2>
      <code className="code-text text-ink-2">
        <ForeignText text={[command, ...args].join(" ")} />
      </code>
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
      <ul className={rows}>
        {found.map(({ agent }) => (
          <li key={agent.id} className="flex flex-wrap items-center gap-x-2 px-3 py-2">
            <Program agent={agent} />
            <Button small aria-label={words.addNamed(agent.name)} onClick={() => onAdd(agent)}>
              {words.addFound}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type RemoveDialogProps = { agent: OuterAgent; onClose: () => void; onRemoved: () => void };

function RemoveDialog({ agent, onClose, onRemoved }: RemoveDialogProps) {
  async function remove() {
    onClose();
    try {
      await client().call("outerAgents.remove", { id: agent.id });
    } catch (error) {
      showProblem(common.failed, describeError(error));
    }
    onRemoved();
  }
  return (
    <ConfirmDialog
      title={strings.removeTitle(agent.name)}
      description={words.removeText}
      confirm={strings.removeGo}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
