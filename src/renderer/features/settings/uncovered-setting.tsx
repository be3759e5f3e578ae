/** Chooses what becomes of commands that no rule covers, with what that would have meant for the person so far. */
import type { Settings } from "../../../shared/contract/console.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import { common } from "../../base/common-strings.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { Select } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { storedSettings } from "./setting-table.ts";
import { strings } from "./strings.ts";

const choices = ["ask", "confined"] as const satisfies Settings["uncoveredCommands"][];

export function UncoveredSetting() {
  const stored = useSettings((state) => state.settings.uncoveredCommands);
  const { value, problem, reload } = useAnswer("rules.previewConfined");
  const { label, hint } = storedSettings.uncoveredCommands;
  async function choose(uncoveredCommands: Settings["uncoveredCommands"]) {
    // A host that was started anew wants to have told the figures itself.
    if (!(await saveSettings({ uncoveredCommands }))) reload();
  }
  // Back to asking is open in any case.
  const isClosed = (choice: string) =>
    choice === "confined" && (value === undefined || value.unavailable !== undefined);
  return (
    <SettingRow label={label} hint={hint}>
      <div className="flex max-w-96 flex-col items-start gap-2">
        <Select
          label={label}
          value={stored}
          onChange={(event) => void choose(event.target.value as Settings["uncoveredCommands"])}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice} disabled={isClosed(choice)}>
              {strings.uncovered[choice]}
            </option>
          ))}
        </Select>
        <div role="status" className="text-sm text-ink-2">
          {!value && !problem && <p>{common.loading}</p>}
          {problem && (
            <p>
              {strings.uncovered.failed} <ForeignText text={problem} lines />
            </p>
          )}
          {value && <Preview preview={value} />}
        </div>
      </div>
    </SettingRow>
  );
}

function Preview({ preview }: { preview: Output<"rules.previewConfined"> }) {
  const { decided, wouldRun, rejected, samples, unavailable } = preview;
  const others = samples.filter((sample) => !rejected.includes(sample));
  return (
    <>
      {unavailable !== undefined && <p className="text-warn">{strings.uncovered.unavailable(unavailable)}</p>}
      <p>{decided === 0 ? strings.uncovered.none : strings.uncovered.would(wouldRun, decided)}</p>
      <Commands title={strings.uncovered.rejected(rejected.length)} list={rejected} />
      <Commands title={strings.uncovered.samples} list={others} />
    </>
  );
}

function Commands({ title, list }: { title: string; list: readonly string[] }) {
  if (list.length === 0) return null;
  return (
    <>
      <p className="mt-1">{title}</p>
      <ul>
        {[...new Set(list)].map((command) => (
          <li key={command}>
            <ExactText text={command} oneLine />
          </li>
        ))}
      </ul>
    </>
  );
}
