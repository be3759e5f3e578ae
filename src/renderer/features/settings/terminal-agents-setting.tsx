/** Whether agents in terminals may ask here, and how they are told to. */
import { useHost } from "../../base/stores/host-store.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { Switch } from "../../ui/switch.tsx";
import { CopiedCode } from "./copied-code.tsx";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { storedSettings } from "./setting-table.ts";
import { strings } from "./strings.ts";

const agents = { claude: "Claude Code", codex: "Codex" };

export function TerminalAgentsSetting() {
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
