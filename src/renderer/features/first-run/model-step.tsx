/** Second step: the scripted demo, or a provider with a key. */

import { type FormEvent, useEffect, useState } from "react";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { firstChoice } from "../models/model-choice.ts";
import { loadProviders, useProviders } from "../models/providers-store.ts";
import { StepHeading } from "./step-heading.tsx";
import { strings } from "./strings.ts";

/** @param onChosen told whether the scripted demo was chosen. */
export function ModelStep({ onChosen }: { onChosen: (demo: boolean) => void }) {
  const [own, setOwn] = useState(false);
  async function chooseDemo() {
    await attempt(async () => {
      await setDefault("demo");
      onChosen(true);
    });
  }
  useEffect(() => void loadProviders(), []);
  return (
    <>
      <StepHeading takeFocus title={strings.modelTitle} text={strings.modelText} />
      <div className="flex flex-wrap gap-2">
        <Button look="strong" onClick={() => void chooseDemo()}>
          {strings.demo}
        </Button>
        <Button aria-expanded={own} onClick={() => setOwn(!own)}>
          {strings.ownKey}
        </Button>
      </div>
      {own && <KeyForm onSaved={() => onChosen(false)} />}
    </>
  );
}

function KeyForm({ onSaved }: { onSaved: () => void }) {
  const providers = useProviders((state) => state.providers)?.filter((one) => one.needsKey) ?? [];
  const loadProblem = useProviders((state) => state.problem);
  const [chosen, setChosen] = useState<string>();
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState<string>();
  const provider = providers.find((one) => one.id === chosen) ?? providers[0];

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!provider) return;
    if (key.trim() === "" && !provider.hasKey) return setProblem(strings.keyMissing);
    try {
      if (key.trim() !== "") await client().call("models.setKey", { provider: provider.id, key: key.trim() });
      await setDefault(provider.id);
      onSaved();
    } catch (error) {
      setProblem(describeError(error));
    }
  }
  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-wrap items-end gap-2">
      <Select
        label={strings.provider}
        value={provider?.id}
        onChange={(event) => setChosen(event.target.value)}
      >
        {providers.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </Select>
      <TextField
        label={strings.key}
        type="password"
        autoComplete="off"
        value={key}
        problem={problem ?? loadProblem}
        onChange={(event) => {
          setKey(event.target.value);
          setProblem(undefined);
        }}
        className="w-80 max-w-full"
      />
      <Button type="submit" look="strong">
        {strings.saveKey}
      </Button>
      <p className="w-full text-sm text-ink-2">{strings.keyKept}</p>
    </form>
  );
}

/** Makes the provider's first suggested model the one of new threads. @throws ContractError */
async function setDefault(id: string): Promise<void> {
  const { providers } = await client().call("models.providers", {});
  const provider = providers.find((one) => one.id === id);
  if (provider) await client().call("models.setDefault", { model: firstChoice(provider) });
}
