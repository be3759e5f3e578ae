/** The control of each setting; the heavy parts come when they are opened. */
import { type ComponentType, useState } from "react";
import type { Settings } from "../../../shared/contract/console.ts";
import { lazyPart } from "../../base/load-code.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { Button } from "../../ui/button.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { openKeySheet } from "../../ui/key-sheet.tsx";
import { AboutPanel } from "./about-panel.tsx";
import { DataCheck } from "./data-check.tsx";
import { BackupSetting, DataFolder, LedgerSetting } from "./data-settings.tsx";
import { DeepagentsThreads } from "./deepagents-threads.tsx";
import { FatigueSetting } from "./fatigue-setting.tsx";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { otherEntries, type SetBy, type SettingId, storedSettings } from "./setting-table.ts";
import { SettingsTransfer } from "./settings-transfer.tsx";
import { NumberSetting, SwitchSetting, ThemeSetting } from "./simple-settings.tsx";
import { strings } from "./strings.ts";
import { TerminalAgentsSetting } from "./terminal-agents-setting.tsx";
import { ThreadImport } from "./thread-import.tsx";
import { UncoveredSetting } from "./uncovered-setting.tsx";
import { WebSearchSetting } from "./web-search-setting.tsx";
import { WorkspacesPanel } from "./workspaces-panel.tsx";

const ownControls: Record<SetBy<"own"> | keyof typeof otherEntries, ComponentType> = {
  theme: ThemeSetting,
  uncoveredCommands: UncoveredSetting,
  sandbox: SandboxSetting,
  writableFolders: () => <PathsSetting id="writableFolders" />,
  hiddenPaths: () => <PathsSetting id="hiddenPaths" />,
  terminalAgents: TerminalAgentsSetting,
  fatigue: FatigueSetting,
  webSearch: WebSearchSetting,
  keySheet: KeySheetLink,
  models: lazyPart(() => import("../models/models-panel.tsx")),
  workspaces: WorkspacesPanel,
  rules: lazyPart(() => import("../rules/rules-panel.tsx")),
  dataDir: DataFolder,
  backup: BackupSetting,
  check: DataCheck,
  ledger: LedgerSetting,
  threadImport: ThreadImport,
  deepagents: DeepagentsThreads,
  transfer: SettingsTransfer,
  about: AboutPanel,
};

export function SettingControl({ id }: { id: SettingId }) {
  if (isSetBy(id, "switch")) return <SwitchSetting id={id} />;
  if (isSetBy(id, "number")) return <NumberSetting id={id} />;
  const Control = ownControls[id];
  return <Control />;
}

function isSetBy<Kind extends "switch" | "number">(id: SettingId, kind: Kind): id is SetBy<Kind> {
  return (
    Object.hasOwn(storedSettings, id) && storedSettings[id as keyof typeof storedSettings].control === kind
  );
}

function KeySheetLink() {
  return (
    <SettingRow {...otherEntries.keySheet}>
      <Button onClick={openKeySheet}>{strings.showKeys}</Button>
    </SettingRow>
  );
}

/** A setting that is a list of paths, one a line, saved when the field is left. */
function PathsSetting({ id }: { id: "writableFolders" | "hiddenPaths" }) {
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

const modes = Object.keys(strings.sandbox.modes) as Settings["sandbox"][];

/** Whether commands are confined, and whether this machine can. */
function SandboxSetting() {
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
