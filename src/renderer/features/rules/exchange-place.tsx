/** Chooses the other program, and the folder that its rules are about. */
import { type RuleFormat, ruleFormatSchema } from "../../../shared/contract/rule-exchange.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { shortenPath } from "../../base/words.ts";
import { Select } from "../../ui/field.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { exchangeStrings as strings } from "./exchange-strings.ts";
import { strings as ruleWords } from "./strings.ts";

export type Place = { format: RuleFormat; workspace?: string };

export function ExchangePlace({ place, onChange }: { place: Place; onChange: (place: Place) => void }) {
  const folders = useAnswer("workspaces.list").value?.workspaces ?? [];
  const home = useHost((state) => state.host?.home);
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        label={strings.program}
        value={place.format}
        onChange={(event) => onChange({ ...place, format: ruleFormatSchema.parse(event.target.value) })}
      >
        {ruleFormatSchema.options.map((format) => (
          <option key={format} value={format}>
            {strings.programs[format]}
          </option>
        ))}
      </Select>
      <Select
        label={ruleWords.scope}
        value={place.workspace ?? ""}
        onChange={(event) => onChange({ ...place, workspace: event.target.value || undefined })}
      >
        <option value="">{ruleWords.scopes.user}</option>
        {folders.map(({ path }) => (
          <option key={path} value={path}>
            {spellOut(shortenPath(path, home))}
          </option>
        ))}
      </Select>
    </div>
  );
}
