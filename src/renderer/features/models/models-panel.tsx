/** The settings of models: the default one, every provider with its key, prices, and servers on this computer. */
import { type ReactNode, useEffect } from "react";
import { ErrorState } from "../../ui/error-state.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { DefaultModel } from "./default-model.tsx";
import { LocalServers } from "./local-servers.tsx";
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
