/** Chooses the service that agents search the web with. */

import { useState } from "react";
import { settingsSchema } from "../../../shared/contract/console.ts";
import { common } from "../../base/common-strings.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { Button } from "../../ui/button.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { storedSettings } from "./setting-table.ts";
import { strings } from "./strings.ts";
import { TavilyKey } from "./tavily-key.tsx";

const providers = ["off", "tavily", "searxng"] as const;

export function WebSearchSetting() {
  const stored = useSettings((state) => state.settings.webSearch);
  const [wantsSearxng, setWantsSearxng] = useState(false);
  const shown = wantsSearxng ? "searxng" : stored.provider;
  const { label, hint } = storedSettings.webSearch;

  function choose(provider: string) {
    setWantsSearxng(provider === "searxng" && stored.provider !== "searxng");
    if (provider === "off" || provider === "tavily") void saveSettings({ webSearch: { provider } });
  }
  return (
    <SettingRow label={label} hint={hint}>
      <div className="flex max-w-96 flex-col items-start gap-2">
        <Select label={label} value={shown} onChange={(event) => choose(event.target.value)}>
          {providers.map((provider) => (
            <option key={provider} value={provider}>
              {strings.web[provider]}
            </option>
          ))}
        </Select>
        {shown === "tavily" && <TavilyKey />}
        {shown === "searxng" && (
          <SearxngAddress
            stored={stored.provider === "searxng" ? stored.url : ""}
            onSaved={() => setWantsSearxng(false)}
          />
        )}
      </div>
    </SettingRow>
  );
}

function SearxngAddress({ stored, onSaved }: { stored: string; onSaved: () => void }) {
  const [url, setUrl] = useState(stored);
  const [problem, setProblem] = useState<string>();

  async function save() {
    const webSearch = settingsSchema.shape.webSearch.safeParse({ provider: "searxng", url: url.trim() });
    if (!webSearch.success) return setProblem(strings.web.badAddress);
    if (await saveSettings({ webSearch: webSearch.data })) onSaved();
  }
  return (
    <form
      className="flex w-80 max-w-full items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={strings.web.address}
        value={url}
        problem={problem}
        onChange={(event) => {
          setUrl(event.target.value);
          setProblem(undefined);
        }}
        className="flex-1"
      />
      <Button type="submit" disabled={url.trim() === stored}>
        {common.save}
      </Button>
    </form>
  );
}
