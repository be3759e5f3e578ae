/** How an agent asks about one tool: which answers, when, with what text, and what changed arguments must satisfy. */
import { useState } from "react";
import { decisionTypeSchema } from "../../../shared/contract/decisions.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import type { CustomRule } from "./agent-draft.ts";
import { CheckList } from "./check-list.tsx";
import { ConditionsField } from "./conditions-field.tsx";
import { strings } from "./strings.ts";

type CustomRuleFormProps = { tool: string; rule: CustomRule; onChange: (rule: CustomRule) => void };

export function CustomRuleForm({ tool, rule, onChange }: CustomRuleFormProps) {
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
