/** The person's settings as the host keeps them, and the one way to change them. */
import { create } from "zustand";
import { defaultSettings, type Settings } from "../../../shared/contract/console.ts";
import { client } from "../client.ts";

export const useSettings = create<{ settings: Settings }>(() => ({ settings: defaultSettings }));

/** Changes only the given fields. @throws ContractError, with the old value kept. */
export async function updateSettings(change: Partial<Settings>): Promise<void> {
  useSettings.setState({ settings: await client().call("settings.update", change) });
}

/** Puts theme and font size on the document; follows every later change. */
export function applyAppearance(): () => void {
  const apply = ({ settings }: { settings: Settings }) => {
    const root = document.documentElement;
    if (settings.theme === "system") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", settings.theme);
    root.style.fontSize = `${settings.fontSize}px`;
  };
  apply(useSettings.getState());
  return useSettings.subscribe(apply);
}
