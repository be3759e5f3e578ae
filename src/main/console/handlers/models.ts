/** Answers the contract's questions about models and keys; a key goes in and never comes out. */
import type { Provider, ProviderId } from "../../../shared/contract/models.ts";
import { providerIdSchema } from "../../../shared/contract/models.ts";
import { keysForModels } from "../../models/keys-for-models.ts";
import { providers } from "../../models/providers.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";

/** @returns a handler for each call about models and their keys. */
export function createModelHandlers({ models, keys }: ConsoleParts): HandlersOf<"models"> {
  function describe(id: ProviderId): Provider {
    const { label, needsKey, keyUrl, suggestedModels } = providers[id];
    return {
      id,
      label,
      needsKey,
      hasKey: keys.storageOf(id) !== undefined,
      keyStorage: keys.storageOf(id),
      baseUrl: models.baseUrlOf(id),
      keyUrl,
      suggestedModels: [...suggestedModels],
    };
  }
  return {
    async "models.providers"() {
      await keys.open(providerIdSchema.options);
      return { providers: providerIdSchema.options.map(describe), defaultModel: models.defaultModel() };
    },
    async "models.setKey"({ provider, key, baseUrl }) {
      if (key !== undefined) await keys.set(provider, key);
      if (baseUrl !== undefined) models.setBaseUrl(provider, baseUrl ?? undefined);
      return describe(provider);
    },
    async "models.removeKey"({ provider }) {
      await keys.remove(provider);
      models.setBaseUrl(provider, undefined);
      return describe(provider);
    },
    async "models.unlockKey"({ provider }) {
      await keys.unlock(provider);
      return describe(provider);
    },
    "models.setDefault"({ model }) {
      models.setDefault(model);
      return {};
    },
    async "models.test"({ model }) {
      const { testModel } = await import("../../models/test-model.ts");
      await keys.open([model.provider]);
      const result = await testModel(models.withBaseUrl(model), keysForModels(keys));
      return result.ok ? { ok: true } : { ok: false, message: result.error.message };
    },
    async "models.discover"() {
      const { discoverLocal } = await import("../../models/discover-local.ts");
      return { endpoints: await discoverLocal() };
    },
  };
}
