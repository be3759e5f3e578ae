/** What threads and days cost at the prices of now, for lists and totals. */
import type { Cost, DaySpent, Spent } from "../../shared/contract/costs.ts";
import { dayOf } from "../../shared/day.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { TokenUse, TokenUseStore } from "../threads/token-use.ts";
import { estimateCost } from "./cost.ts";
import type { ModelStore } from "./model-store.ts";

export type Spending = {
  estimate(uses: readonly TokenUse[]): Cost | undefined;
  ofThread(threadId: ThreadId): Spent | undefined;
  ofEachThread(): Map<ThreadId, Spent | undefined>;
  today(): DaySpent;
};

/** Sums are estimates in US dollars, by the prices of now. */
export function createSpending(
  tokenUse: Pick<TokenUseStore, "ofThread" | "ofEachThread" | "ofDay">,
  models: Pick<ModelStore, "withBaseUrl" | "priceOf">,
  now: () => number,
): Spending {
  /** A message names no address when its model answers at the one set for its provider. */
  const estimate = (uses: readonly TokenUse[]) =>
    estimateCost(
      uses.map((use) => ({ ...use, model: models.withBaseUrl(use.model) })),
      models.priceOf,
    );
  const spentOn = (uses: readonly TokenUse[]): Spent | undefined => {
    const cost = estimate(uses);
    return (
      cost && {
        ...(cost.dollars !== undefined && { dollars: cost.dollars }),
        more: cost.unpriced.length > 0,
      }
    );
  };
  return {
    estimate,
    ofThread: (threadId) => spentOn(tokenUse.ofThread(threadId)),
    ofEachThread: () =>
      new Map([...tokenUse.ofEachThread()].map(([threadId, uses]) => [threadId, spentOn(uses)])),
    today() {
      const day = dayOf(now());
      const spent = spentOn(tokenUse.ofDay(day));
      return { day, ...(spent && { spent }) };
    },
  };
}
