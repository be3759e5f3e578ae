/** For each tool: whether the policy decides, it always asks, never asks, or asks in a way of its own. */
import { useState } from "react";
import type { InterruptOn, InterruptRule } from "../../../shared/contract/agents.ts";
import { decisionTypeSchema } from "../../../shared/contract/decisions.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { Button } from "../../ui/button.tsx";
import { Select, TextArea, TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { RowList } from "../../ui/row-list.tsx";
import type { CustomRule, KnownTool } from "./agent-draft.ts";
import { CheckList } from "./check-list.tsx";
import { ConditionsField } from "./conditions-field.tsx";
import { strings } from "./strings.ts";

type InterruptFieldProps = {
  value: InterruptOn;
  tools: readonly KnownTool[];
  onChange: (value: InterruptOn) => void;
  /** In a sub-agent, what is not said here is as the agent has it. */
  inherits?: boolean;
};

export function InterruptField({ value, tools, onChange, inherits = false }: InterruptFieldProps) {
  const [other, setOther] = useState("");
  const known = tools.map((tool) => tool.name);
  const names = [...known, ...Object.keys(value).filter((name) => !known.includes(name))];

  function setRule(tool: string, rule: InterruptRule | undefined) {
    const { [tool]: _old, ...others } = value;
    onChange(rule === undefined ? others : { ...others, [tool]: rule });
  }
  function addOther() {
    if (other.trim() === "") return;
    setRule(other.trim(), true);
    setOther("");
  }
  return (
    <>
      <RowList label={strings.asking}>
        {names.map((name) => (
          <ToolRule
            key={name}
            tool={name}
            description={tools.find((tool) => tool.name === name)?.description}
            rule={value[name]}
            inherits={inherits}
            onChange={(rule) => setRule(name, rule)}
          />
        ))}
      </RowList>
      <div className="flex items-end gap-2">
        <TextField
          label={strings.otherTool}
          value={other}
          spellCheck={false}
          onChange={(event) => setOther(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && addOther()}
          className="w-56"
        />
        <Button disabled={other.trim() === ""} onClick={addOther}>
          {strings.addTool}
        </Button>
      </div>
    </>
  );
}

type Mode = keyof typeof strings.rules;

const everyDecision: CustomRule["allowedDecisions"] = ["approve", "edit", "reject", "respond"];
const ruleOf: Record<Mode, InterruptRule | undefined> = {
  policy: undefined,
  always: true,
  never: false,
  custom: { allowedDecisions: everyDecision },
};

function modeOf(rule: InterruptRule | undefined): Mode {
  if (rule === undefined) return "policy";
  if (typeof rule === "boolean") return rule ? "always" : "never";
  return "custom";
}

type ToolRuleProps = {
  tool: string;
  description?: string;
  rule: InterruptRule | undefined;
  inherits: boolean;
  onChange: (rule: InterruptRule | undefined) => void;
};

function ToolRule({ tool, description, rule, inherits, onChange }: ToolRuleProps) {
  const mode = modeOf(rule);
  return (
    <li className="px-3 py-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="code-text font-medium">
          <ForeignText text={tool} />
        </code>
        <span className="min-w-0 flex-1 text-sm text-ink-2">
          {description && <ForeignText text={description} lines />}
        </span>
        {mode === "never" && <span className="text-sm text-warn">{strings.neverHint}</span>}
        <Select
          label={strings.rule(spellOut(tool))}
          value={mode}
          onChange={(event) => onChange(ruleOf[event.target.value as Mode])}
        >
          {(Object.keys(ruleOf) as Mode[]).map((one) => (
            <option key={one} value={one}>
              {one === "policy" && inherits ? strings.inherit : strings.rules[one]}
            </option>
          ))}
        </Select>
      </div>
      {typeof rule === "object" && <CustomRuleForm tool={tool} rule={rule} onChange={onChange} />}
    </li>
  );
}

type CustomRuleFormProps = { tool: string; rule: CustomRule; onChange: (rule: CustomRule) => void };

/** How an agent asks about one tool: which answers, when, with what text, and what changed arguments must satisfy. */
function CustomRuleForm({ tool, rule, onChange }: CustomRuleFormProps) {
  const change = (next: Partial<CustomRule>) => onChange({ ...rule, ...next });
  return (
    <fieldset
      aria-label={strings.rule(spellOut(tool))}
      className="my-2 flex flex-col gap-3 border-l-2 border-line-strong pl-3"
    >
      <div>
        <h3 className="pb-1 text-sm font-medium text-ink-2">{strings.decisions}</h3>
        <CheckList
          row
          label={strings.decisions}
          entries={decisionTypeSchema.options.map((id) => ({ id, label: strings.decisionNames[id] }))}
          value={rule.allowedDecisions}
          onChange={(allowedDecisions) => change({ allowedDecisions })}
        />
      </div>
      <ConditionsField value={rule.when} onChange={(when) => change({ when })} />
      <TextField
        label={strings.description}
        placeholder={strings.descriptionHint}
        value={rule.description ?? ""}
        onChange={(event) => change({ description: event.target.value || undefined })}
      />
      <ArgsSchemaField value={rule.argsSchema} onChange={(argsSchema) => change({ argsSchema })} />
    </fieldset>
  );
}

type ArgsSchema = CustomRule["argsSchema"];
type ArgsSchemaFieldProps = { value: ArgsSchema; onChange: (value: ArgsSchema) => void };

function ArgsSchemaField({ value, onChange }: ArgsSchemaFieldProps) {
  const [text, setText] = useState(value ? JSON.stringify(value, null, 2) : "");
  const read = readJson(text);
  return (
    <TextArea
      label={strings.argsSchema}
      mono
      spellCheck={false}
      value={text}
      problem={read.problem}
      onChange={(event) => {
        setText(event.target.value);
        // Text that is no object yet is kept as it is, so that saving is refused and names this field.
        onChange(readJson(event.target.value).value as ArgsSchema);
      }}
    />
  );
}

function readJson(text: string): { value: unknown; problem?: string } {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { value: text, problem: strings.notJson(messageOf(error)) };
  }
}
