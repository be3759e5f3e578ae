/** The settings of models: the default one, every provider with its key, prices, and servers on this computer. */
import { type ReactNode, useEffect, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { ModelRef } from "../../../shared/contract/models.ts";
import { client } from "../../base/client.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ErrorState } from "../../ui/unanswered.tsx";
import { type ChoiceProblems, type ModelChoice, nameModel, readChoice } from "./model-choice.ts";
import { ModelPicker } from "./model-picker.tsx";
import { PriceList } from "./price-list.tsx";
import { ProviderCard } from "./provider-card.tsx";
import { loadProviders, useProviders } from "./providers-store.ts";
import { strings } from "./strings.ts";

export default function ModelsPanel() {
  const { providers, defaultModel, problem } = useProviders();
  useEffect(() => void loadProviders(), []);
  if (!providers || !defaultModel) {
    if (problem)
      return <ErrorState title={strings.loadFailed} problem={problem} onRetry={() => void loadProviders()} />;
    return (
      <p role="status" className="py-3 text-ink-2">
        {strings.loading}
      </p>
    );
  }
  return (
    <>
      <Part title={strings.defaultTitle} hint={strings.defaultHint}>
        <DefaultModel key={JSON.stringify(defaultModel)} current={defaultModel} />
      </Part>
      <Part title={strings.providersTitle} hint={strings.providersHint}>
        <RowList>
          {providers.map((provider) => (
            <ProviderCard
              key={provider.id}
              provider={provider}
              isDefault={defaultModel.provider === provider.id}
            />
          ))}
        </RowList>
      </Part>
      <Part title={strings.pricesTitle} hint={strings.pricesHint}>
        <PriceList providers={providers} />
      </Part>
      <Part title={strings.localTitle} hint={strings.localHint}>
        <LocalServers />
      </Part>
    </>
  );
}

function Part({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2.5 py-3">
      <div>
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-ink-2">{hint}</p>
      </div>
      {children}
    </div>
  );
}

type Endpoint = Output<"models.discover">["endpoints"][number];

/** Model servers that run on this computer, with one press to use one of their models. */
function LocalServers() {
  const { value, problem, reload } = useAnswer("models.discover");
  if (problem) return <ErrorState title={strings.lookFailed} problem={problem} onRetry={reload} />;
  return (
    <div className="flex flex-col items-start gap-2">
      <p role="status" className="text-ink-2">
        {!value && strings.looking}
        {value?.endpoints.length === 0 && strings.noneFound}
      </p>
      {value?.endpoints.map((endpoint) => (
        <EndpointCard key={endpoint.baseUrl} endpoint={endpoint} />
      ))}
      {value && <Button onClick={reload}>{strings.look}</Button>}
    </div>
  );
}

function EndpointCard({ endpoint }: { endpoint: Endpoint }) {
  const { label, provider, baseUrl, models } = endpoint;
  return (
    <section aria-label={label} className="w-full rounded-md border border-line bg-surface p-3">
      <h4 className="font-medium">{label}</h4>
      <code className="code-text text-ink-2">{baseUrl}</code>
      {models.length === 0 && <p className="pt-1 text-ink-2">{strings.noModels}</p>}
      <ul className="pt-1">
        {models.map((model) => (
          <li key={model} className="flex items-center justify-between gap-3 py-0.5">
            <code className="code-text min-w-0">{model}</code>
            <Button
              small
              aria-label={strings.setDefaultNamed(model)}
              onClick={() => void setDefaultModel({ provider, model, baseUrl })}
            >
              {strings.setDefault}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Sets the model of new threads. */
export function DefaultModel({ current }: { current: ModelRef }) {
  const [choice, setChoice] = useState<ModelChoice>(current);
  const [problems, setProblems] = useState<ChoiceProblems>({});
  const provider = useProviders((state) => state.providers?.find((one) => one.id === choice.provider));
  const changed = JSON.stringify(choice) !== JSON.stringify(current);

  function save() {
    const read = readChoice(choice, provider);
    if ("problems" in read) return setProblems(read.problems);
    void setDefaultModel(read.model);
  }
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <ModelPicker
        value={choice}
        problems={problems}
        onChange={(next) => {
          setChoice(next);
          setProblems({});
        }}
      />
      <Button type="submit" disabled={!changed}>
        {strings.setDefault}
      </Button>
    </form>
  );
}

/** Sets it and reads the providers again; a failure is shown. */
export async function setDefaultModel(model: ModelRef): Promise<void> {
  await attempt(async () => {
    await client().call("models.setDefault", { model });
    await loadProviders();
    showToast(strings.defaultSaved, nameModel(model, useProviders.getState().providers));
  });
}
