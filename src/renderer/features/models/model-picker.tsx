/** Chooses a provider and a model, or the id of one alone: suggestions are offered, any other may be typed. */
import { useEffect, useState } from "react";
import type { Provider, ProviderId } from "../../../shared/contract/models.ts";
import { Select, TextField } from "../../ui/field.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { type ChoiceProblems, firstChoice, type ModelChoice } from "./model-choice.ts";
import { loadProviders, useProviders } from "./providers-store.ts";
import { strings } from "./strings.ts";

type ModelPickerProps = {
  value: ModelChoice;
  onChange: (value: ModelChoice) => void;
  problems?: ChoiceProblems;
};

export function ModelPicker({ value, onChange, problems = {} }: ModelPickerProps) {
  const providers = useProviders((state) => state.providers);
  const problem = useProviders((state) => state.problem);
  useEffect(() => {
    if (!useProviders.getState().providers) void loadProviders();
  }, []);
  const current = providers?.find((one) => one.id === value.provider);

  function chooseProvider(id: ProviderId) {
    const next = providers?.find((one) => one.id === id);
    if (next) onChange(firstChoice(next));
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <Select
          label={strings.provider}
          value={value.provider}
          onChange={(event) => chooseProvider(event.target.value as ProviderId)}
        >
          {!current && <option value={value.provider}>{value.provider}</option>}
          {providers?.map((one) => (
            <option key={one.id} value={one.id}>
              {nameProvider(one)}
            </option>
          ))}
        </Select>
        {value.provider !== "demo" && (
          <ModelField
            key={value.provider}
            label={strings.model}
            value={value.model}
            suggestions={current?.suggestedModels ?? []}
            problem={problems.model}
            onChange={(model) => onChange({ ...value, model })}
          />
        )}
      </div>
      {value.provider === "openai-compatible" && (
        <TextField
          label={strings.address}
          placeholder={current?.baseUrl ?? strings.addressHint}
          value={value.baseUrl ?? ""}
          problem={problems.baseUrl}
          onChange={(event) => onChange({ ...value, baseUrl: event.target.value })}
          className="max-w-96"
        />
      )}
      {problem && <ProblemText className="text-sm" lead={strings.loadFailed} problem={problem} />}
    </div>
  );
}

function nameProvider({ label, needsKey, hasKey }: Provider): string {
  return needsKey && !hasKey ? `${label} · ${strings.keyMissing}` : label;
}

type ModelFieldProps = {
  label: string;
  value: string;
  suggestions: readonly string[];
  onChange: (model: string) => void;
  problem?: string;
};

/** No id can be this. */
const other = "";

export function ModelField({ label, value, suggestions, onChange, problem }: ModelFieldProps) {
  const [wantsOther, setWantsOther] = useState(false);
  // Asked anew each time, since suggestions may come later than the field.
  const typing = wantsOther || !suggestions.includes(value);
  return (
    <div className="flex max-w-full min-w-0 flex-wrap items-start gap-2">
      {suggestions.length > 0 && (
        <Select
          label={label}
          value={typing ? other : value}
          onChange={(event) => {
            setWantsOther(event.target.value === other);
            onChange(event.target.value);
          }}
        >
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion}>
              {suggestion}
            </option>
          ))}
          <option value={other}>{strings.otherModel}</option>
        </Select>
      )}
      {typing && (
        <TextField
          hideLabel
          label={strings.modelId(label)}
          placeholder={strings.modelHint}
          spellCheck={false}
          autoCapitalize="off"
          value={value}
          problem={problem}
          onChange={(event) => {
            // What is typed may pass a suggestion on its way; the field stays until another choice is made.
            setWantsOther(true);
            onChange(event.target.value);
          }}
          className="w-64 max-w-full"
        />
      )}
    </div>
  );
}
