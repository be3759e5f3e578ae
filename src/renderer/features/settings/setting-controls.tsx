/** The control of each setting; what is longer has a file of its own, and the heavy parts come when they are opened. */
import { type ComponentType, useState } from "react";
import type { HostInfo, Settings } from "../../../shared/contract/console.ts";
import { lazyPart } from "../../base/load-code.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { Button } from "../../ui/button.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { openKeySheet } from "../../ui/key-sheet.tsx";
import { Switch } from "../../ui/switch.tsx";
import { DataCheck } from "./data-check.tsx";
import { BackupSetting, DataFolder, LedgerSetting } from "./data-settings.tsx";
import { DeepagentsThreads } from "./deepagents-threads.tsx";
import { FatigueSetting } from "./fatigue-setting.tsx";
import { saveSettings } from "./save-settings.ts";
import { CopiedCode, SettingRow } from "./setting-row.tsx";
import { otherEntries, type SetBy, type SettingId, storedSettings } from "./setting-table.ts";
import { SettingsTransfer } from "./settings-transfer.tsx";
import { NumberSetting, SwitchSetting, ThemeSetting } from "./simple-settings.tsx";
import { strings } from "./strings.ts";
import { ThreadImport } from "./thread-import.tsx";
import { UncoveredSetting } from "./uncovered-setting.tsx";
import { WebSearchSetting } from "./web-search-setting.tsx";
import { WorkspacesPanel } from "./workspaces-panel.tsx";

const agents = { claude: "Claude Code", codex: "Codex" };

function TerminalAgentsSetting() {
  const isOn = useSettings((state) => state.settings.terminalAgents);
  const dataDir = useHost((state) => state.host?.dataDir);
  const isWindows = useHost((state) => state.host?.platform === "win32");
  const { label, hint } = storedSettings.terminalAgents;
  return (
    <SettingRow label={label} hint={hint}>
      <Switch
        label={label}
        checked={isOn}
        onChange={(terminalAgents) => void saveSettings({ terminalAgents })}
        className="[&>span:first-child]:sr-only"
      />
      {isOn && isWindows && <p className="basis-full text-sm text-ink-2">{strings.terminalAgents.windows}</p>}
      {isOn && !isWindows && dataDir !== undefined && (
        <div className="flex basis-full flex-col gap-1 text-sm text-ink-2">
          <p>{strings.terminalAgents.install}</p>
          {Object.entries(agents).map(([name, title]) => (
            <CopiedCode
              key={name}
              label={strings.terminalAgents.copy(title)}
              text={`npm run -s cli -- terminal-agents install ${name} --data-dir ${quoted(dataDir)}`}
            />
          ))}
          <p>{strings.terminalAgents.byHand}</p>
        </div>
      )}
    </SettingRow>
  );
}

/** As one word of a POSIX shell. */
const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** Where it comes from, why not from the shell where that was asked, and the list itself, which explains "not found". */
function describePath({ source, path, problem }: HostInfo["commandPath"]): string {
  const from = strings.about.pathSources[source];
  return `${from}${problem === null ? "" : `. ${problem}.`}\n${path}`;
}

function AboutPanel() {
  const host = useHost((state) => state.host);
  if (!host) return null;
  const { about } = strings;
  const facts = [
    [about.version, host.version],
    [about.mode, about.modes[host.mode]],
    [about.platform, host.platform],
    [about.home, host.home],
    [about.commandShell, host.commandShell.title],
    [about.commandPath, describePath(host.commandPath)],
    [about.licence, about.licenceName],
  ];
  return (
    <SettingRow {...otherEntries.about} below>
      <dl className="grid w-fit grid-cols-[auto_1fr] gap-x-6 gap-y-1 max-[600px]:grid-cols-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2 max-[600px]:pt-1.5">{name}</dt>
            <dd className="code-text whitespace-pre-wrap break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </SettingRow>
  );
}

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
