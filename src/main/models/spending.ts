/** What calls, threads and days cost at the prices of now, for lists and totals. */
import type { Cost, DaySpent, ModelPrice, PricedId, Spent } from "../../shared/contract/costs.ts";
import type { ModelRef } from "../../shared/contract/models.ts";
import { dayOf } from "../../shared/day.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { TokenUse, TokenUseStore } from "../threads/token-use.ts";
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

const million = 1_000_000;

/**
 * @param priceOf the price that counts for a model, `undefined` when none is known.
 * @returns `undefined` when there is nothing to say: no calls, or only calls that cost nothing.
 */
export function estimateCost(
  uses: readonly TokenUse[],
  priceOf: (model: ModelRef) => ModelPrice | undefined,
): Cost | undefined {
  let dollars = 0;
  let listedOn: string | undefined;
  const unpriced = new Map<string, PricedId>();
  for (const use of uses) {
    const known = priceOf(use.model);
    if (known) {
      const cost = dollarsOf(use, known);
      dollars += cost;
      if (cost > 0 && known.listedOn && known.listedOn < (listedOn ?? "9")) listedOn = known.listedOn;
    } else if (!isFree(use.model)) {
      const { provider, model } = use.model;
      unpriced.set(`${provider}/${model}`, { provider, model });
    }
  }
  if (dollars === 0 && unpriced.size === 0) return undefined;
  return {
    ...(dollars > 0 && { dollars }),
    unpriced: [...unpriced.values()],
    ...(listedOn && { listedOn }),
  };
}

function dollarsOf(use: TokenUse, { price }: ModelPrice): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const fresh = use.input - use.cacheRead - use.cacheWrite;
  return (
    (fresh * input + use.cacheRead * cacheRead + use.cacheWrite * cacheWrite + use.output * output) / million
  );
}

/**
 * The demo is a script, and nobody bills for a model server on this computer. What speaks a provider's own protocol
 * here passes calls on to that provider, and those are billed.
 */
function isFree({ provider, baseUrl }: ModelRef): boolean {
  if (provider === "demo" || provider === "ollama") return true;
  return provider === "openai-compatible" && baseUrl !== undefined && isThisComputer(baseUrl);
}

function isThisComputer(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
