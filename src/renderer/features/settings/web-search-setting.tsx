/** Chooses the service that agents search the web with. */
import { useState } from "react";
import { settingsSchema } from "../../../shared/contract/console.ts";
import type { KeyStorage } from "../../../shared/contract/models.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { useAct } from "../../base/use-act.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { showToast } from "../../ui/toast.tsx";
import { LockedKey } from "../models/locked-key.tsx";
import { strings as modelStrings } from "../models/strings.ts";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { storedSettings } from "./setting-table.ts";
import { strings } from "./strings.ts";

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

/** Sets or removes the key of the Tavily search; the key goes out and is never read back, only that there is one. */
function TavilyKey() {
  const { value, problem: unread, reload } = useAnswer("settings.searchKey");
  const [key, setKey] = useState("");
  const { problem, setProblem, act } = useAct();
  const [removing, setRemoving] = useState(false);
  const storage = value?.keyStorage;

  const save = () =>
    act(async () => {
      await client().call("settings.setSearchKey", { key: key.trim() });
      setKey("");
      showToast(strings.web.tavilySaved);
      reload();
    });
  async function unlock() {
    const { keyStorage } = await client().call("settings.searchKey", { unlock: true });
    reload();
    return keyStorage;
  }
  return (
    <form
      className="flex w-80 max-w-full flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p role="status" className={cx("text-sm", colours[storage ?? "none"] ?? "text-ok")}>
        {value && describeKey(storage)}
        {!value && unread && <ForeignText text={unread} lines />}
      </p>
      {storage === "locked" && <LockedKey unlock={unlock} />}
      <TextField
        label={strings.web.tavilyKey}
        type="password"
        autoComplete="off"
        placeholder={storage ? modelStrings.keyPlaceholderSet : modelStrings.keyPlaceholder}
        value={key}
        problem={problem}
        onChange={(event) => {
          setKey(event.target.value);
          setProblem(undefined);
        }}
        className="w-full"
      />
      <p className="text-sm text-ink-2">
        {storage === "environment" ? modelStrings.environmentHint : strings.web.tavilyHint}
      </p>
      <div className="flex gap-2">
        <Button type="submit" disabled={key.trim() === ""}>
          {common.save}
        </Button>
        {storage && storage !== "environment" && (
          <Button onClick={() => setRemoving(true)}>{strings.web.removeKey}</Button>
        )}
      </div>
      {removing && <RemoveKeyDialog onClose={() => setRemoving(false)} onRemoved={reload} />}
    </form>
  );
}

const colours: Record<string, string> = { none: "text-ink-2", locked: "text-warn" };

function describeKey(storage: KeyStorage | undefined): string {
  if (storage === undefined) return strings.web.tavilyMissing;
  return storage === "locked" ? modelStrings.keyLocked : modelStrings.keySet(storage);
}

function RemoveKeyDialog({ onClose, onRemoved }: { onClose: () => void; onRemoved: () => void }) {
  const { problem, act } = useAct();
  const remove = () =>
    act(async () => {
      await client().call("settings.setSearchKey", { key: null });
      showToast(strings.web.keyRemoved);
      onRemoved();
      onClose();
    });
  return (
    <ConfirmDialog
      title={strings.web.removeTitle}
      description={strings.web.removeText}
      confirm={strings.web.removeKey}
      onConfirm={remove}
      onClose={onClose}
      problem={problem}
    />
  );
}
