/** Second step: the scripted demo, a provider with a key, or a model server of the person's own. */

import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import type { Provider } from "../../../shared/contract/models.ts";
import { client } from "../../base/client.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { describeError } from "../../base/words.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { type ChoiceProblems, firstChoice, readChoice } from "../models/model-choice.ts";
import { ModelField } from "../models/model-picker.tsx";
import { loadProviders, useProviders } from "../models/providers-store.ts";
import { StepHeading } from "./step-heading.tsx";
import { strings } from "./strings.ts";

/** @param onChosen told whether the scripted demo was chosen. */
export function ModelStep({ onChosen }: { onChosen: (demo: boolean) => void }) {
  const [own, setOwn] = useState(false);
  async function chooseDemo() {
    await attempt(async () => {
      const { providers } = await client().call("models.providers", {});
      const demo = providers.find(({ id }) => id === "demo");
      if (demo) await client().call("models.setDefault", { model: firstChoice(demo) });
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
          {strings.ownModel}
        </Button>
      </div>
      {own && <ModelForm onSaved={() => onChosen(false)} />}
    </>
  );
}

/** A provider with its key, or a model server with its address; a server on this computer needs no key. */
function ModelForm({ onSaved }: { onSaved: () => void }) {
  const providers = useProviders((state) => state.providers)?.filter(({ id }) => id !== "demo") ?? [];
  const loadProblem = useProviders((state) => state.problem);
  const [chosen, setChosen] = useState<string>();
  const [key, setKey] = useState("");
  const [server, setServer] = useState<Server>({ address: "", model: "" });
  const [problem, setProblem] = useState<string>();
  const [problems, setProblems] = useState<ChoiceProblems>({});
  const provider = providers.find((one) => one.id === chosen) ?? providers[0];

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!provider) return;
    const { id, needsKey, hasKey } = provider;
    if (needsKey && key.trim() === "" && !hasKey) return setProblem(strings.keyMissing);
    const own = { provider: id, model: server.model, baseUrl: server.address };
    const read = readChoice(needsKey ? firstChoice(provider) : own, provider);
    if ("problems" in read) return setProblems(read.problems);
    try {
      if (key.trim() !== "") await client().call("models.setKey", { provider: id, key: key.trim() });
      await client().call("models.setDefault", read);
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
        onChange={(event) => {
          setChosen(event.target.value);
          setServer({ address: "", model: "" });
          setProblems({});
        }}
      >
        {providers.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </Select>
      {provider && !provider.needsKey && (
        <ServerFields
          key={provider.id}
          provider={provider}
          server={server}
          problems={problems}
          onChange={(next) => {
            setServer(next);
            setProblems({});
          }}
        />
      )}
      <TextField
        label={provider?.needsKey === false ? strings.keyIfAsked : strings.key}
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
        {provider?.needsKey === false ? strings.saveServer : strings.saveKey}
      </Button>
      <p className="w-full text-sm text-ink-2">{strings.keyKept}</p>
    </form>
  );
}

type Server = { address: string; model: string };

type ServerFieldsProps = {
  provider: Provider;
  server: Server;
  problems: ChoiceProblems;
  onChange: (server: Server) => void;
};

/** Filled in with what runs on this computer, where something does and nobody has written yet. */
function ServerFields({ provider, server, problems, onChange }: ServerFieldsProps) {
  const { value } = useAnswer("models.discover");
  const found = value?.endpoints.find((one) => one.provider === provider.id);
  const offered = found?.models ?? [];
  const fill = useEffectEvent(() => {
    if (found && server.address === "" && server.model === "")
      onChange({ address: found.baseUrl, model: offered[0] ?? "" });
  });
  useEffect(() => {
    if (found) fill();
  }, [found]);
  return (
    <>
      <TextField
        label={strings.address}
        placeholder={provider.baseUrl ?? strings.addressHint}
        spellCheck={false}
        value={server.address}
        problem={problems.baseUrl}
        onChange={(event) => onChange({ ...server, address: event.target.value })}
        className="w-80 max-w-full"
      />
      <ModelField
        label={strings.model}
        value={server.model}
        suggestions={offered}
        problem={problems.model}
        onChange={(model) => onChange({ ...server, model })}
      />
    </>
  );
}
