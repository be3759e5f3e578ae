/** Answers the contract's questions about models, keys, prices and costs; a key goes in and never comes out. */
import { type Provider, type ProviderId, providerIdSchema } from "../../../shared/contract/models.ts";
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

/** @returns a handler for each call about prices and costs. */
export function createCostHandlers(parts: ConsoleParts): HandlersOf<"costs"> {
  const { changes, threads, tokenUse, models } = parts;
  const { estimate } = parts.spending;
  return {
    "costs.prices": () => ({ prices: models.prices() }),
    "costs.setPrice"({ price, ...id }) {
      models.setPrice(id, price);
      // Every sum that was told is another one now.
      for (const { id } of threads.list()) changes.tell({ kind: "thread", threadId: id });
      return { prices: models.prices() };
    },
    "costs.ofThread"({ threadId, turnIds }) {
      threads.get(threadId);
      const turns = turnIds.flatMap((turnId) => {
        const cost = estimate(tokenUse.ofTurn(threadId, turnId));
        return cost ? [[turnId, cost] as const] : [];
      });
      return { thread: estimate(tokenUse.ofThread(threadId)), turns: Object.fromEntries(turns) };
    },
  };
}
