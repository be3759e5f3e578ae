/** Which version this is and where it runs. */
import { useHost } from "../../app/stores/host-store.ts";
import { SettingRow } from "./setting-row.tsx";
import { strings } from "./strings.ts";

export function AboutPanel() {
  const host = useHost((state) => state.host);
  if (!host) return null;
  const { about } = strings;
  const facts = [
    [about.version, host.version],
    [about.mode, about.modes[host.mode]],
    [about.platform, host.platform],
    [about.home, host.home],
    [about.licence, about.licenceName],
  ];
  return (
    <SettingRow {...strings.entries.about} below>
      <dl className="grid w-fit grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd className="code-text">{value}</dd>
          </div>
        ))}
      </dl>
    </SettingRow>
  );
}
