/** The public registry of agents, asked when a person presses for it; each is shown with what would run before it is set up. */
import { useState } from "react";
import type { OuterAgent, RegistryEntry } from "../../../shared/contract/outer-agents.ts";
import { client } from "../../base/client.ts";
import { useReading } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { Unanswered } from "../../ui/unanswered.tsx";
import { ProgramWords } from "./program-words.tsx";
import { strings } from "./strings.ts";

const words = strings.outer;

type FromRegistryProps = { known: readonly OuterAgent[]; onAdd: (agent: OuterAgent) => void };

export function FromRegistry({ known, onAdd }: FromRegistryProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <section aria-label={words.registry} className="flex flex-col gap-2">
      <h2 className="font-medium">{words.registry}</h2>
      <p className="text-sm text-ink-2">{words.registryHint}</p>
      {isAsked ? (
        <Listed known={known} onAdd={onAdd} />
      ) : (
        <Button small className="self-start" onClick={() => setAsked(true)}>
          {words.askRegistry}
        </Button>
      )}
    </section>
  );
}

function Listed({ known, onAdd }: FromRegistryProps) {
  const { value, problem, busy, reload } = useReading("registry", () =>
    client().call("outerAgents.registry", {}),
  );
  if (!value)
    return <Unanswered title={words.registryFailed} problem={busy ? undefined : problem} onRetry={reload} />;
  const entries = value.entries.filter(({ id }) => !known.some((agent) => agent.id === id));
  return (
    <>
      <RowList label={words.askedRegistry}>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} onAdd={onAdd} />
        ))}
      </RowList>
      {value.leftOut > 0 && <p className="text-sm text-ink-2">{words.leftOut(value.leftOut)}</p>}
    </>
  );
}

type EntryRowProps = { entry: RegistryEntry; onAdd: (agent: OuterAgent) => void };

function EntryRow({
  entry: { name, version, license, publisher, description, agent, why },
  onAdd,
}: EntryRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-2 px-3 py-2">
      <div className="min-w-0 flex-1 basis-52 [overflow-wrap:anywhere]">
        <h3 className="font-medium">
          <ForeignText text={name} />
        </h3>
        <p className="text-sm text-ink-2">
          <ForeignText text={[version, license || words.noLicence, publisher].filter(Boolean).join(" · ")} />
        </p>
        <p className="text-sm text-ink-2">
          <ForeignText text={description} />
        </p>
        {agent ? <ProgramWords {...agent} /> : <p className="text-sm">{why}</p>}
      </div>
      {agent && (
        <Button small aria-label={words.addNamed(name)} onClick={() => onAdd(agent)}>
          {words.addFound}
        </Button>
      )}
    </li>
  );
}
