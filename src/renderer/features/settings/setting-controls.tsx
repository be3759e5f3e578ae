/** The control of each setting by its id; the heavy parts come when they are opened. */
import type { ComponentType } from "react";
import { lazyPart } from "../../base/load-code.ts";
import { Button } from "../../ui/button.tsx";
import { openKeySheet } from "../../ui/key-sheet.tsx";
import { AboutPanel } from "./about-panel.tsx";
import { DataCheck } from "./data-check.tsx";
import { BackupSetting, DataFolder, LedgerSetting } from "./data-settings.tsx";
import type { SettingId } from "./setting-index.ts";
import { SettingRow } from "./setting-row.tsx";
import { SettingsTransfer } from "./settings-transfer.tsx";
import { NumberSetting, SwitchSetting, ThemeSetting } from "./simple-settings.tsx";
import { strings } from "./strings.ts";
import { ThreadImport } from "./thread-import.tsx";
import { WebSearchSetting } from "./web-search-setting.tsx";
import { WorkspacesPanel } from "./workspaces-panel.tsx";

export const settingControls: Record<SettingId, ComponentType> = {
  theme: ThemeSetting,
  fontSize: () => <NumberSetting id="fontSize" />,
  singleKeys: () => <SwitchSetting id="singleKeys" />,
  keySheet: KeySheetLink,
  undoGraceMs: () => <NumberSetting id="undoGraceMs" />,
  notifications: () => <SwitchSetting id="notifications" />,
  doNotDisturb: () => <SwitchSetting id="doNotDisturb" />,
  maxActiveRuns: () => <NumberSetting id="maxActiveRuns" />,
  commandTimeoutMs: () => <NumberSetting id="commandTimeoutMs" />,
  modelCallLimit: () => <NumberSetting id="modelCallLimit" />,
  models: lazyPart(() => import("../models/models-panel.tsx")),
  webSearch: WebSearchSetting,
  workspaces: WorkspacesPanel,
  rules: lazyPart(() => import("../rules/rules-panel.tsx")),
  dataDir: DataFolder,
  backup: BackupSetting,
  check: DataCheck,
  ledger: LedgerSetting,
  threadImport: ThreadImport,
  transfer: SettingsTransfer,
  about: AboutPanel,
};

function KeySheetLink() {
  return (
    <SettingRow {...strings.entries.keySheet}>
      <Button onClick={openKeySheet}>{strings.showKeys}</Button>
    </SettingRow>
  );
}
