/** The settings that are one switch, one choice or one number. */
import { useId, useState } from "react";
import type { Settings } from "../../../shared/contract/console.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { TextField } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { limitsOf, type SetBy, storedSettings, units } from "./setting-table.ts";
import { strings } from "./strings.ts";

export function SwitchSetting({ id }: { id: SetBy<"switch"> }) {
  const checked = useSettings((state) => state.settings[id]);
  const isSilent = useHost(({ host }) => id === "notifications" && host?.notificationsFail === true);
  const { label, hint } = storedSettings[id];
  return (
    <SettingRow label={label} hint={isSilent ? strings.silentSystem : hint}>
      <Switch
        label={label}
        checked={checked}
        onChange={(next) => void saveSettings({ [id]: next })}
        className="[&>span:first-child]:sr-only"
      />
    </SettingRow>
  );
}

export function ThemeSetting() {
  const theme = useSettings((state) => state.settings.theme);
  const name = useId();
  const { label, hint } = storedSettings.theme;
  return (
    <SettingRow label={label} hint={hint}>
      <fieldset aria-label={label} className="flex gap-3">
        {(Object.keys(strings.themes) as Settings["theme"][]).map((value) => (
          <label key={value} className="flex min-h-6 items-center gap-1.5">
            <input
              type="radio"
              name={name}
              value={value}
              checked={theme === value}
              onChange={() => void saveSettings({ theme: value })}
              className="accent-ink"
            />
            {strings.themes[value]}
          </label>
        ))}
      </fieldset>
    </SettingRow>
  );
}

/** Saved when the field is left or Enter is pressed, so that half a number is never in force. */
export function NumberSetting({ id }: { id: SetBy<"number"> }) {
  const stored = useSettings((state) => state.settings[id]);
  const { label, hint, unit }: { label: string; hint: string; unit?: keyof typeof units } =
    storedSettings[id];
  const factor = unit ? units[unit] : 1;
  const whole = factor === 1;
  const limits = limitsOf(id);
  // In hundredths of the unit, as the field shows it, and never below what may be stored.
  const [min, max] = [Math.ceil((limits.min / factor) * 100) / 100, limits.max / factor];
  const shown = String(Math.round((stored / factor) * 100) / 100);
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function commit() {
    if (draft === undefined || draft === shown) return setDraft(undefined);
    const value = Number(draft);
    if (draft.trim() === "" || !(value >= min && value <= max) || (whole && !Number.isInteger(value)))
      return setProblem((whole ? strings.wholeRange : strings.range)(min, max));
    await saveSettings({ [id]: Math.round(value * factor) });
    setDraft(undefined);
  }
  return (
    <SettingRow label={label} hint={hint}>
      <div className="flex items-start gap-1.5">
        <TextField
          label={unit ? `${label} (${unit})` : label}
          hideLabel
          inputMode="decimal"
          value={draft ?? shown}
          problem={problem}
          onChange={(event) => {
            setDraft(event.target.value);
            setProblem(undefined);
          }}
          onBlur={() => void commit()}
          onKeyDown={(event) => event.key === "Enter" && void commit()}
          className={problem ? "w-44" : "w-20"}
        />
        {unit && <span className="pt-1 text-ink-2">{unit}</span>}
      </div>
    </SettingRow>
  );
}
