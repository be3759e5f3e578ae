/** Which version this is and where it runs. */
import type { HostInfo } from "../../../shared/contract/console.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { SettingRow } from "./setting-row.tsx";
import { otherEntries } from "./setting-table.ts";
import { strings } from "./strings.ts";

/** Where it comes from, why not from the shell where that was asked, and the list itself, which explains "not found". */
function describePath({ source, path, problem }: HostInfo["commandPath"]): string {
  const from = strings.about.pathSources[source];
  return `${from}${problem === null ? "" : `. ${problem}.`}\n${path}`;
}

export function AboutPanel() {
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
