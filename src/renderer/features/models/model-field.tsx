/** The id of a model: one that is suggested, or any other one typed in. */
import { useState } from "react";
import { Select, TextField } from "../../ui/field.tsx";
import { strings } from "./strings.ts";

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
    <div className="flex flex-wrap items-start gap-2">
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
