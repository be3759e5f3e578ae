/** Chooses the service that agents search the web with. */
import { useState } from "react";
import { settingsSchema } from "../../../shared/contract/console.ts";
import { client } from "../../app/client.ts";
import { useSettings } from "../../app/stores/settings-store.ts";
import { describeError } from "../../app/words.ts";
import { Button } from "../../ui/button.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { strings } from "./strings.ts";

const providers = ["off", "tavily", "searxng"] as const;

export function WebSearchSetting() {
  const stored = useSettings((state) => state.settings.webSearch);
  const [wantsSearxng, setWantsSearxng] = useState(false);
  const shown = wantsSearxng ? "searxng" : stored.provider;
  const { label, hint } = strings.entries.webSearch;

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

function TavilyKey() {
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState<string>();

  async function save() {
    try {
      await client().call("settings.setSearchKey", { key: key.trim() });
      setKey("");
      showToast(strings.web.tavilySaved);
    } catch (error) {
      setProblem(describeError(error));
    }
  }
  return (
    <form
      className="flex w-80 max-w-full flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={strings.web.tavilyKey}
        type="password"
        autoComplete="off"
        value={key}
        problem={problem}
        onChange={(event) => {
          setKey(event.target.value);
          setProblem(undefined);
        }}
      />
      <p className="text-sm text-ink-2">{strings.web.tavilyHint}</p>
      <Button type="submit" disabled={key.trim() === ""}>
        {strings.save}
      </Button>
    </form>
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
        {strings.save}
      </Button>
    </form>
  );
}
