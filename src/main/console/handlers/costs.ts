/** Answers the contract's questions about prices and costs. */
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";

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
