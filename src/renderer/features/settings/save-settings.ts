/** Saves a change of the settings: shown at once, taken back and told when it could not be saved. */
import type { Settings } from "../../../shared/contract/console.ts";
import { updateSettings, useSettings } from "../../base/stores/settings-store.ts";
import { describeError } from "../../base/words.ts";
import { showProblem } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

/** @returns whether it was saved; the old values are back when not. */
export async function saveSettings(change: Partial<Settings>): Promise<boolean> {
  const before = useSettings.getState().settings;
  show(change);
  try {
    await updateSettings(change);
    return true;
  } catch (error) {
    const names = Object.keys(change) as (keyof Settings)[];
    show(Object.fromEntries(names.map((name) => [name, before[name]])));
    showProblem(strings.notSaved, describeError(error));
    return false;
  }
}

function show(change: Partial<Settings>): void {
  useSettings.setState(({ settings }) => ({ settings: { ...settings, ...change } }));
}
