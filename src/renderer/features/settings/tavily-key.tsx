/** Sets or removes the key of the Tavily search; the key goes out and is never read back, only that there is one. */
import { useState } from "react";
import type { KeyStorage } from "../../../shared/contract/models.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useAct } from "../../base/use-act.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { showToast } from "../../ui/toast.tsx";
import { LockedKey } from "../models/locked-key.tsx";
import { strings as modelStrings } from "../models/strings.ts";
import { strings } from "./strings.ts";

export function TavilyKey() {
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
