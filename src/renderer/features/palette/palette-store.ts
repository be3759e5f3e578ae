/** Whether the palette is open, and the keys that open it and go to the views beside the queue. */
import { create } from "zustand";
import { registerActions } from "../../app/actions.ts";
import { go } from "../../app/navigation.ts";
import { strings as appStrings } from "../../app/strings.ts";
import { strings } from "./strings.ts";

export const usePalette = create<{ open: boolean }>(() => ({ open: false }));

/** @returns a function that takes them out again. */
export function registerPaletteActions(): () => void {
  const { sections } = appStrings;
  return registerActions([
    {
      id: "app.palette",
      label: strings.actions.palette,
      section: sections.app,
      keys: ["$mod+k"],
      inTextFields: true,
      hidden: true,
      run: () => usePalette.setState(({ open }) => ({ open: !open })),
    },
    {
      id: "go.agents",
      label: strings.actions.goAgents,
      section: sections.go,
      keys: ["g a"],
      run: () => go({ view: "agents" }),
    },
    {
      id: "go.settings",
      label: strings.actions.goSettings,
      section: sections.go,
      keys: ["g s", "$mod+[Shift]+,"],
      run: () => go({ view: "settings" }),
    },
  ]);
}
