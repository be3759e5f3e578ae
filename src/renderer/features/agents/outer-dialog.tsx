/** Adds or changes an agent of another program; what would be started has to be seen to its end before it is saved. */
import { type FormEvent, useId, useState } from "react";
import { type FieldProblem, nameProblems } from "../../../shared/contract/field-problem.ts";
import {
  type OuterAgent,
  type OuterOffer,
  outerAgentSchema,
  weakensAsking,
} from "../../../shared/contract/outer-agents.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { describeAtField, problemOf } from "../../base/field-problems.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ProblemList } from "../../ui/problem-text.tsx";
import { showToast } from "../../ui/toast.tsx";
import { UnreadNote } from "../../ui/unread-note.tsx";
import { useOnceRead } from "../seen/use-once-read.ts";
import { idOf } from "./id-of.ts";
import { type Program, ProgramFields, wordsOf } from "./program-fields.tsx";
import { ProgramDoubts } from "./program-words.tsx";
import { ServersField } from "./servers-field.tsx";
import { strings } from "./strings.ts";

const words = strings.outer;
const formId = "outer-agent";
/** What is started, under the names by which the gauge knows it. */
const keys = { command: "agent command", args: "agent arguments" };

type OuterDialogProps = {
  agent?: OuterAgent;
  isNew: boolean;
  /** What the program let be chosen when it was started last. */
  offers?: readonly OuterOffer[];
  onClose: () => void;
  onSaved: () => void;
};

type Options = Readonly<Record<string, string>>;

type Draft = Program & { name: string; mcpServers: string[]; options: Options };

type OfferedServersProps = { chosen: string[]; onChange: (chosen: string[]) => void };

/** The person's own MCP servers, whose tools the agent is given where it is governed. */
function OfferedServers({ chosen, onChange }: OfferedServersProps) {
  const { value, problem } = useAnswer("mcp.list");
  return (
    <>
      <ServersField
        agent={{ mcpServers: chosen }}
        servers={value?.servers}
        problem={problem}
        onChange={onChange}
      />
      <p className="text-sm text-ink-2">{words.serversHint}</p>
    </>
  );
}

type OptionFieldsProps = {
  offers: readonly OuterOffer[];
  chosen: Options;
  onChange: (chosen: Options) => void;
};

/** Its mode, its model and what else it lets be chosen, by its own names; an empty field leaves it to the program. */
function OptionFields({ offers, chosen, onChange }: OptionFieldsProps) {
  const listId = useId();
  const ids = new Set([...offers.map(({ id }) => id), ...Object.keys(chosen)]);
  const change = (id: string, value: string) => {
    const { [id]: _before, ...others } = chosen;
    onChange(value === "" ? others : { ...others, [id]: value });
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{words.options}</legend>
      <p className="text-sm text-ink-2">{ids.size === 0 ? words.noOffers : words.optionsHint}</p>
      {[...ids].map((id) => (
        <div key={id}>
          <TextField
            label={words.option(id)}
            list={`${listId}-${id}`}
            value={chosen[id] ?? ""}
            placeholder={words.ownChoice}
            spellCheck={false}
            onChange={(event) => change(id, event.target.value)}
          />
          <datalist id={`${listId}-${id}`}>
            {offers
              .find((offer) => offer.id === id)
              ?.values.map((value) => (
                <option key={value} value={value} />
              ))}
          </datalist>
        </div>
      ))}
      {weakensAsking(chosen.mode ?? "") && <p className="text-sm text-bad">{words.weakMode}</p>}
    </fieldset>
  );
}

/** Not checked yet. */
function toAgent({ name, command, args, mcpServers, options }: Draft, id = idOf(name, "agent")) {
  return {
    ...{ id, name, command, args: wordsOf(args) },
    ...(mcpServers.length > 0 && { mcpServers }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

export function OuterDialog({ agent, isNew, offers = [], onClose, onSaved }: OuterDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    name: agent?.name ?? "",
    command: agent?.command ?? "",
    args: agent?.args.join("\n") ?? "",
    mcpServers: agent?.mcpServers ?? [],
    options: agent?.options ?? {},
  });
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [saving, setSaving] = useState(false);
  const { read, onceRead } = useOnceRead(
    (["command", "args"] as const)
      .filter((one) => draft[one].trim() !== "")
      .map((one) => ({ key: keys[one], digest: draft[one] })),
  );
  const change = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next });
    setProblems([]);
  };

  async function save(checked: OuterAgent) {
    setSaving(true);
    try {
      await client().call("outerAgents.save", checked);
      showToast(strings.saved(checked.name));
      onSaved();
      onClose();
    } catch (error) {
      setProblems([describeAtField(error)]);
      setSaving(false);
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    const parsed = outerAgentSchema.safeParse(toAgent(draft, agent?.id));
    setProblems(parsed.success ? [] : nameProblems(parsed.error));
    if (parsed.success) void onceRead(() => save(parsed.data));
  }
  return (
    <Dialog
      wide
      open
      onClose={onClose}
      title={isNew ? words.addTitle : words.change(agent?.name ?? "")}
      actions={
        <>
          {read ? <span className="flex-1" /> : <UnreadNote>{strings.server.unread}</UnreadNote>}
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="strong" type="submit" form={formId} disabled={saving} locked={!read}>
            {common.save}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-3 p-0.5" onSubmit={submit}>
        <p className="text-ink-2">{words.formHint}</p>
        <TextField
          label={strings.name}
          value={draft.name}
          problem={problemOf("name", problems)}
          onChange={(event) => change({ name: event.target.value })}
        />
        <ProgramFields program={draft} keys={keys} problems={problems} onChange={change} />
        <ProgramDoubts program={draft} />
        <OptionFields offers={offers} chosen={draft.options} onChange={(options) => change({ options })} />
        <OfferedServers chosen={draft.mcpServers} onChange={(mcpServers) => change({ mcpServers })} />
        <ProblemList
          title={strings.refused}
          problems={problems.filter(({ field }) => field !== "name" && field !== "command")}
        />
      </form>
    </Dialog>
  );
}
