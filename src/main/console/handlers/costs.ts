/** Answers the contract's questions about prices and costs. */
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { ConsoleParts } from "../console-parts.ts";

type Names = Extract<keyof Handlers, `costs.${string}`>;

/** @returns a handler for each call about prices and costs. */
export function createCostHandlers(parts: ConsoleParts): Pick<Handlers, Names> {
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
