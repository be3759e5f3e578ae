/** The list of agents and models with its search field, which keeps the focus and names the marked line. */
import { Check } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import type { ThreadSummary } from "../../../../shared/contract/threads.ts";
import { cx } from "../../../ui/class-names.ts";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { moveInList } from "../../../ui/move-in-list.ts";
import { ProblemText } from "../../../ui/problem-text.tsx";
import { useProviders } from "../../models/providers-store.ts";
import { strings } from "../strings.ts";
import { useAgents } from "./agents-store.ts";
import { findPartners, type PartnerChoice, partnerChoices } from "./partner-choices.ts";

type PartnerListProps = { thread: ThreadSummary; onChoose: (choice: PartnerChoice) => void };

export function PartnerList({ thread, onChoose }: PartnerListProps) {
  const list = useId();
  const [query, setQuery] = useState("");
  const [marked, setMarked] = useState(0);
  const agents = useAgents();
  const providers = useProviders();
  const all = useMemo(
    () => partnerChoices(thread, { agents: agents.agents ?? [], providers: providers.providers ?? [] }),
    [thread, agents, providers],
  );
  const found = findPartners(all, query, thread);
  const at = Math.min(marked, found.length - 1);
  const chosen = found[at];
  const problem = agents.problem ?? providers.problem;

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && chosen) onChoose(chosen);
    const next = moveInList(event.key, at, found.length);
    if (next !== undefined) {
      setMarked(next);
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter" || next !== undefined) event.preventDefault();
  }
  return (
    <div className="flex flex-col gap-2">
      <input
        role="combobox"
        aria-label={strings.partner.search}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={chosen ? `${list}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={strings.partner.placeholder}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
        className="h-8 w-full roomy:h-10 rounded-md border border-line-strong bg-bg px-2 outline-none focus:border-ink"
      />
      <div
        id={list}
        role="listbox"
        aria-label={strings.partner.choices}
        // Half a line at the lower edge says that there are more.
        className="max-h-[min(270px,40dvh)] overflow-y-auto roomy:max-h-[min(300px,40dvh)]"
      >
        {found.map((choice, index) => (
          <Choice
            key={choice.key}
            id={`${list}-${index}`}
            choice={choice}
            marked={index === at}
            onMark={() => setMarked(index)}
            onChoose={() => onChoose(choice)}
          />
        ))}
      </div>
      {problem && <ProblemText className="text-sm" lead={strings.partner.failed} problem={problem} />}
      <p className="text-sm text-ink-3">{strings.partner.from}</p>
    </div>
  );
}

type ChoiceProps = {
  id: string;
  choice: PartnerChoice;
  marked: boolean;
  onMark: () => void;
  onChoose: () => void;
};

function Choice({ id, choice, marked, onMark, onChoose }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and answers Enter
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={marked}
      onPointerMove={onMark}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cx(
        "flex min-h-7 roomy:min-h-10 cursor-default items-center gap-2 rounded-sm px-2 py-0.5",
        marked && "bg-hover outline-1 -outline-offset-1 outline-transparent",
      )}
    >
      <span className="w-3.5 shrink-0">
        {choice.current && <Check role="img" aria-label={strings.partner.current} className="size-3.5" />}
      </span>
      <span className="min-w-0 flex-1">
        <ForeignText text={choice.label} />
      </span>
      <span className="shrink-0 text-sm text-ink-3">
        <ForeignText text={choice.kind} />
      </span>
    </div>
  );
}
