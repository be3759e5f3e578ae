/** Answers the contract's questions about prices and costs. */
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { ModelStore } from "../../models/model-store.ts";
import type { Spending } from "../../models/spending.ts";
import type { ThreadStore } from "../../threads/thread-store.ts";
import type { TokenUseStore } from "../../threads/token-use.ts";

type Names = Extract<keyof Handlers, `costs.${string}`>;

export type CostHandlerParts = {
  threads: Pick<ThreadStore, "get">;
  tokenUse: Pick<TokenUseStore, "ofThread" | "ofTurn">;
  models: ModelStore;
  spending: Pick<Spending, "estimate">;
  /** Every sum that was told is another one now. */
  onPriceChanged(): void;
};

/** @returns a handler for each call about prices and costs. */
export function createCostHandlers(parts: CostHandlerParts): Pick<Handlers, Names> {
  const { threads, tokenUse, models } = parts;
  const { estimate } = parts.spending;
  return {
    "costs.prices": () => ({ prices: models.prices() }),
    "costs.setPrice"({ price, ...id }) {
      models.setPrice(id, price);
      parts.onPriceChanged();
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
