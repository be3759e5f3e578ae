/** The sub-agents an agent can hand work to. */
import { ChevronDown, ChevronRight, Plus, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import type { SubAgent } from "../../../shared/contract/agents.ts";
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import type { KnownTool } from "./agent-draft.ts";
import { OwnModelField, ToolsField } from "./agent-fields.tsx";
import { InterruptField } from "./interrupt-field.tsx";
import { strings } from "./strings.ts";

const blank: SubAgent = { name: "", description: "", prompt: "" };
const maxSubAgents = 20;

type SubAgentsFieldProps = {
  value: readonly SubAgent[];
  tools: readonly KnownTool[];
  problems: readonly FieldProblem[];
  onChange: (value: SubAgent[]) => void;
};

export function SubAgentsField({ value, tools, problems, onChange }: SubAgentsFieldProps) {
  const [open, setOpen] = useState<number>();
  const without = (index: number) => value.filter((_one, at) => at !== index);
  return (
    <>
      {value.map((sub, index) => (
        <SubAgentCard
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is all that tells two unnamed ones apart
          key={index}
          sub={sub}
          tools={tools}
          open={open === index || problems.some((one) => one.field.startsWith(`subAgents.${index}.`))}
          problemOf={(field) => problems.find((one) => one.field === `subAgents.${index}.${field}`)?.message}
          onOpen={(next) => setOpen(next ? index : undefined)}
          onChange={(next) => onChange(value.map((one, at) => (at === index ? next : one)))}
          onRemove={() => {
            setOpen(undefined);
            onChange(without(index));
          }}
        />
      ))}
      <Button
        disabled={value.length >= maxSubAgents}
        onClick={() => {
          setOpen(value.length);
          onChange([...value, blank]);
        }}
        className="self-start [&_svg]:size-3.5"
      >
        <Plus aria-hidden />
        {strings.addSub}
      </Button>
    </>
  );
}

type SubAgentCardProps = {
  sub: SubAgent;
  tools: readonly KnownTool[];
  open: boolean;
  problemOf: (field: string) => string | undefined;
  onOpen: (open: boolean) => void;
  onChange: (sub: SubAgent) => void;
  onRemove: () => void;
};

function SubAgentCard({ sub, open, onOpen, onRemove, ...rest }: SubAgentCardProps) {
  const content = useId();
  const name = sub.name || strings.unnamed;
  return (
    <div className="rounded-md border border-line bg-surface">
      <div className="flex items-center gap-2 px-2 py-1">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? content : undefined}
          onClick={() => onOpen(!open)}
          className="flex min-h-6 min-w-0 flex-1 items-center gap-2 text-left [&_svg]:size-4"
        >
          {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          <ForeignText className="code-text font-medium" text={name} />
          <span className="truncate text-sm text-ink-2">
            <ForeignText text={sub.description} />
          </span>
        </button>
        <IconButton label={strings.removeSub(name)} onClick={onRemove}>
          <Trash2 />
        </IconButton>
      </div>
      {open && (
        <div id={content} className="flex flex-col gap-3 border-t border-line p-3">
          <SubAgentForm sub={sub} {...rest} />
        </div>
      )}
    </div>
  );
}

type SubAgentFormProps = Pick<SubAgentCardProps, "sub" | "tools" | "problemOf" | "onChange">;

function SubAgentForm({ sub, tools, problemOf, onChange }: SubAgentFormProps) {
  const change = (next: Partial<SubAgent>) => onChange({ ...sub, ...next });
  return (
    <>
      <TextField
        label={strings.subName}
        placeholder={strings.subNameHint}
        value={sub.name}
        problem={problemOf("name")}
        onChange={(event) => change({ name: event.target.value })}
        className="max-w-96"
      />
      <TextField
        label={strings.subDescription}
        value={sub.description}
        problem={problemOf("description")}
        onChange={(event) => change({ description: event.target.value })}
      />
      <TextArea
        label={strings.subPrompt}
        value={sub.prompt}
        problem={problemOf("prompt")}
        onChange={(event) => change({ prompt: event.target.value })}
      />
      <OwnModelField
        value={sub.model}
        problems={{ model: problemOf("model.model"), baseUrl: problemOf("model.baseUrl") }}
        onChange={(model) => change({ model })}
      />
      <ToolsField value={sub.tools} tools={tools} onChange={(chosen) => change({ tools: chosen })} />
      <h3 className="pt-1 font-medium">{strings.asking}</h3>
      <InterruptField
        inherits
        value={sub.interruptOn ?? {}}
        tools={tools}
        onChange={(interruptOn) =>
          change({ interruptOn: Object.keys(interruptOn).length > 0 ? interruptOn : undefined })
        }
      />
    </>
  );
}
