/** Which tools an agent or sub-agent has, all or the chosen ones, and whether it has a model of its own. */
import type { ModelRef } from "../../../shared/contract/models.ts";
import { Badge } from "../../ui/badge.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Switch } from "../../ui/switch.tsx";
import type { ChoiceProblems } from "../models/model-choice.ts";
import { ModelPicker } from "../models/model-picker.tsx";
import { useProviders } from "../models/providers-store.ts";
import type { KnownTool } from "./agent-draft.ts";
import { CheckList } from "./check-list.tsx";
import { strings } from "./strings.ts";

type ToolsFieldProps = {
  /** Absent means all. */
  value: readonly string[] | undefined;
  tools: readonly KnownTool[];
  onChange: (value: string[] | undefined) => void;
};

export function ToolsField({ value, tools, onChange }: ToolsFieldProps) {
  const names = tools.map((tool) => tool.name);
  const others = (value ?? []).filter((name) => !names.includes(name));
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Switch
          label={strings.chooseTools}
          checked={value !== undefined}
          onChange={(choose) => onChange(choose ? names : undefined)}
        />
        <p className="text-sm text-ink-2">{strings.chooseToolsHint}</p>
      </div>
      {value && (
        <CheckList
          label={strings.toolsTitle}
          entries={[
            ...tools.map(({ name, description, askedByDefault }) => ({
              id: name,
              label: name,
              hint: (
                <>
                  <ForeignText text={description} /> {askedByDefault && <Badge>{strings.asks}</Badge>}
                </>
              ),
            })),
            ...others.map((name) => ({ id: name, label: name })),
          ]}
          value={value}
          onChange={onChange}
        />
      )}
    </>
  );
}

type OwnModelFieldProps = {
  value: ModelRef | undefined;
  onChange: (value: ModelRef | undefined) => void;
  problems?: ChoiceProblems;
};

const fallback: ModelRef = { provider: "anthropic", model: "" };

export function OwnModelField({ value, onChange, problems }: OwnModelFieldProps) {
  const start = useProviders((state) => state.defaultModel) ?? fallback;
  return (
    <>
      <Switch
        label={strings.ownModel}
        checked={value !== undefined}
        onChange={(own) => onChange(own ? start : undefined)}
      />
      {value && (
        <ModelPicker
          value={value}
          problems={problems}
          onChange={({ baseUrl, ...model }) => onChange({ ...model, ...(baseUrl && { baseUrl }) })}
        />
      )}
    </>
  );
}
