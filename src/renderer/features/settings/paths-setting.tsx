/** A setting that is a list of paths, one a line, saved when the field is left. */
import { useState } from "react";
import { useSettings } from "../../base/stores/settings-store.ts";
import { TextArea } from "../../ui/field.tsx";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { storedSettings } from "./setting-table.ts";

export function PathsSetting({ id }: { id: "writableFolders" | "hiddenPaths" }) {
  const saved = useSettings((state) => state.settings[id]).join("\n");
  const [typed, setTyped] = useState<string>();
  const { label, hint } = storedSettings[id];
  const save = async () => {
    const lines = (typed ?? saved).split("\n").flatMap((line) => line.trim() || []);
    const isChanged = typed !== undefined && lines.join("\n") !== saved;
    // What was not taken stays in the field, to be mended.
    if (!isChanged || (await saveSettings({ [id]: [...new Set(lines)] }))) setTyped(undefined);
  };
  return (
    <SettingRow label={label} hint={hint}>
      <TextArea
        label={label}
        hideLabel
        mono
        low
        className="basis-full"
        spellCheck={false}
        value={typed ?? saved}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => void save()}
      />
    </SettingRow>
  );
}
