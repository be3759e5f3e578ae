/** Says and chooses whether a command rule stands for one whole command or for every command that begins like it. */
import { Select } from "../../ui/field.tsx";
import { strings } from "./strings.ts";

type ExtentChoiceProps = { exact: boolean; onChange: (exact: boolean) => void };

export function ExtentChoice({ exact, onChange }: ExtentChoiceProps) {
  return (
    <Select
      label={strings.extent}
      value={exact ? "exact" : "prefix"}
      onChange={(event) => onChange(event.target.value === "exact")}
    >
      <option value="prefix">{strings.extents.prefix}</option>
      <option value="exact">{strings.extents.exact}</option>
    </Select>
  );
}
