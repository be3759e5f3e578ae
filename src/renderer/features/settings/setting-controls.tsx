/** The control of each setting; the heavy parts come when they are opened. */
import type { ComponentType } from "react";
import { lazyPart } from "../../base/load-code.ts";
import { Button } from "../../ui/button.tsx";
import { openKeySheet } from "../../ui/key-sheet.tsx";
import { AboutPanel } from "./about-panel.tsx";
import { DataCheck } from "./data-check.tsx";
import { BackupSetting, DataFolder, LedgerSetting } from "./data-settings.tsx";
import { DeepagentsThreads } from "./deepagents-threads.tsx";
import { FatigueSetting } from "./fatigue-setting.tsx";
import { PathsSetting } from "./paths-setting.tsx";
import { SandboxSetting } from "./sandbox-setting.tsx";
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
