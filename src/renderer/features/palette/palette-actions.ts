/** The keys that open the palette and go to the views beside the queue. */
import { registerActions } from "../../base/actions.ts";
import { goByKey } from "../../base/navigation.ts";
import { usePalette } from "../../base/stores/palette-store.ts";
import { strings as appStrings } from "../../base/strings.ts";
import { strings } from "./strings.ts";

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
      run: () => goByKey({ view: "agents" }),
    },
    {
      id: "go.settings",
      label: strings.actions.goSettings,
      section: sections.go,
      keys: ["g s", "$mod+[Shift]+,"],
      run: () => goByKey({ view: "settings" }),
    },
  ]);
}
