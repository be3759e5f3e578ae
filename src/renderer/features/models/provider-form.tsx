/** Sets or removes a provider's key and address; the key goes out and is never read back. */

import { type FormEvent, useState } from "react";
import { type Provider, webAddressSchema } from "../../../shared/contract/models.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useAct } from "../../base/use-act.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { openLink } from "../../ui/open-link.ts";
import { showToast } from "../../ui/toast.tsx";
import { LockedKey } from "./locked-key.tsx";
import { loadProviders } from "./providers-store.ts";
import { strings } from "./strings.ts";

async function unlock(provider: Provider["id"]) {
  const { keyStorage } = await client().call("models.unlockKey", { provider });
  await loadProviders();
  return keyStorage;
}

/** An empty key field leaves the key that is kept as it is. */
export function ProviderForm({ provider }: { provider: Provider }) {
  const { id, label } = provider;
  const [key, setKey] = useState("");
  const [address, setAddress] = useState(provider.baseUrl ?? "");
  const [problem, setProblem] = useState<{ field: "key" | "address"; message: string }>();
  const [removing, setRemoving] = useState(false);
  const keyGiven = key.trim() !== "";
  const addressChanged = address.trim() !== (provider.baseUrl ?? "");

  async function save(event: FormEvent) {
    event.preventDefault();
    const baseUrl = address.trim() || null;
    if (addressChanged && baseUrl && !webAddressSchema.safeParse(baseUrl).success)
      return setProblem({ field: "address", message: strings.badAddress });
    try {
      await client().call("models.setKey", {
        provider: id,
        ...(keyGiven && { key: key.trim() }),
        ...(addressChanged && { baseUrl }),
      });
      setKey("");
      showToast(keyGiven ? strings.keySaved(label) : strings.saved(label));
      await loadProviders();
    } catch (error) {
      setProblem({ field: keyGiven ? "key" : "address", message: describeError(error) });
    }
  }
  return (
    <form onSubmit={(event) => void save(event)} className="flex max-w-[480px] flex-col gap-2">
      <TextField
        label={strings.key(label)}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={provider.hasKey ? strings.keyPlaceholderSet : strings.keyPlaceholder}
        value={key}
        problem={problem?.field === "key" ? problem.message : undefined}
        onChange={(event) => {
          setKey(event.target.value);
          setProblem(undefined);
        }}
      />
      {provider.keyUrl && <KeyLink url={provider.keyUrl} />}
      <TextField
        label={strings.addressOf(label)}
        placeholder={id === "openai-compatible" ? strings.addressHint : strings.addressHintOwn}
        spellCheck={false}
        value={address}
        problem={problem?.field === "address" ? problem.message : undefined}
        onChange={(event) => {
          setAddress(event.target.value);
          setProblem(undefined);
        }}
      />
      {provider.keyStorage === "locked" && <LockedKey unlock={() => unlock(id)} />}
      {provider.keyStorage === "environment" && (
        <p className="text-sm text-ink-2">{strings.environmentHint}</p>
      )}
      <div className="flex gap-2">
        <Button type="submit" look="strong" disabled={!keyGiven && !addressChanged}>
          {common.save}
        </Button>
        {(provider.baseUrl || (provider.hasKey && provider.keyStorage !== "environment")) && (
          <Button onClick={() => setRemoving(true)}>{strings.remove}</Button>
        )}
      </div>
      {removing && (
        <RemoveDialog
          provider={provider}
          onClose={() => setRemoving(false)}
          onRemoved={() => setAddress("")}
        />
      )}
    </form>
  );
}

function KeyLink({ url }: { url: string }) {
  return (
    <a
      href={url}
      rel="noreferrer"
      className="flex min-h-6 w-fit items-center text-sm underline"
      onClick={(event) => {
        event.preventDefault();
        void openLink(url);
      }}
    >
      {strings.getKey(new URL(url).host)}
    </a>
  );
}

type RemoveDialogProps = { provider: Provider; onClose: () => void; onRemoved: () => void };

function RemoveDialog({ provider, onClose, onRemoved }: RemoveDialogProps) {
  const { problem, act } = useAct();
  const remove = () =>
    act(async () => {
      await client().call("models.removeKey", { provider: provider.id });
      await loadProviders();
      showToast(strings.removed(provider.label));
      onRemoved();
      onClose();
    });
  return (
    <ConfirmDialog
      title={strings.removeTitle(provider.label)}
      description={strings.removeText}
      confirm={strings.remove}
      onConfirm={remove}
      onClose={onClose}
      problem={problem}
    />
  );
}
