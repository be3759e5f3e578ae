/** Whether commands are confined, and whether this machine can. */
import type { Settings } from "../../../shared/contract/console.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { Select } from "../../ui/field.tsx";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { storedSettings } from "./setting-table.ts";
import { strings } from "./strings.ts";

const modes = Object.keys(strings.sandbox.modes) as Settings["sandbox"][];

export function SandboxSetting() {
  const mode = useSettings((state) => state.settings.sandbox);
  const known = useHost((state) => state.host?.sandbox);
  const { label, hint } = storedSettings.sandbox;
  return (
    <SettingRow label={label} hint={hint}>
      <div className="flex max-w-[min(100%,--spacing(96))] min-w-0 flex-col items-start gap-2">
        <Select
          label={label}
          className="max-w-full"
          value={mode}
          onChange={(event) => void saveSettings({ sandbox: event.target.value as Settings["sandbox"] })}
        >
          {modes.map((each) => (
            <option key={each} value={each}>
              {strings.sandbox.modes[each]}
            </option>
          ))}
        </Select>
        {known && mode !== "off" && (
          <p role="status" className="text-sm text-ink-2">
            {known.state === "unusable" ? strings.sandbox.unusable(known.why) : strings.sandbox[known.state]}
          </p>
        )}
      </div>
    </SettingRow>
  );
}
