/** Answers the contract's questions about prices and costs. */
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import { estimateCost } from "../../models/cost.ts";
import type { ModelStore } from "../../models/model-store.ts";
import type { ThreadStore } from "../../threads/thread-store.ts";
import type { TokenUse, TokenUseStore } from "../../threads/token-use.ts";

type Names = Extract<keyof Handlers, `costs.${string}`>;

export type CostHandlerParts = {
  store: Pick<ThreadStore, "get">;
  tokenUse: Pick<TokenUseStore, "ofThread" | "ofTurn">;
  models: ModelStore;
};

export function createCostHandlers({ store, tokenUse, models }: CostHandlerParts): Pick<Handlers, Names> {
  /** A message names no address when its model answers at the one set for its provider. */
  const estimate = (uses: TokenUse[]) =>
    estimateCost(
      uses.map((use) => ({ ...use, model: models.withBaseUrl(use.model) })),
      models.priceOf,
    );
  return {
    "costs.prices": () => ({ prices: models.prices() }),
    "costs.setPrice"({ price, ...id }) {
      models.setPrice(id, price);
      return { prices: models.prices() };
    },
    "costs.ofThread"({ threadId, turnIds }) {
      store.get(threadId);
      const turns = turnIds.flatMap((turnId) => {
        const cost = estimate(tokenUse.ofTurn(threadId, turnId));
        return cost ? [[turnId, cost] as const] : [];
      });
      return { thread: estimate(tokenUse.ofThread(threadId)), turns: Object.fromEntries(turns) };
    },
  };
}
