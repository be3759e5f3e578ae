/** Whether an agent has a model of its own, and which. */
import type { ModelRef } from "../../../shared/contract/models.ts";
import { Switch } from "../../ui/switch.tsx";
import type { ChoiceProblems } from "../models/model-choice.ts";
import { ModelPicker } from "../models/model-picker.tsx";
import { useProviders } from "../models/providers-store.ts";
import { strings } from "./strings.ts";

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
