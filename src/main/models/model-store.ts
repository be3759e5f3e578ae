/** The default model, the addresses of model servers and the prices a person set, in a readable file beside the database. */
import { z } from "zod";
import { type ModelPrice, modelPriceSchema, type Price, type PricedId } from "../../shared/contract/costs.ts";
import { type ModelRef, modelRefSchema, type ProviderId } from "../../shared/contract/models.ts";
import { readOrSetAside } from "../settings/read-or-set-aside.ts";
import { writeAtomically } from "../settings/settings-store.ts";
import { demoModelId } from "./demo/demo-model-id.ts";
import { providers } from "./providers.ts";

const listedOn = "2026-10-10";

const anthropic: Record<string, Price> = {
  "claude-opus-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-sonnet-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  "claude-sonnet-4-5": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
};

/**
 * List prices that come with the app, so that the best known models show a cost without any set-up.
 *
 * Only models whose price does not depend on the length of the prompt, and only prices that stand in the provider's
 * own pages: https://platform.claude.com/docs/en/about-claude/pricing and the models' pages beside it, as they were on
 * 2026-10-10. Cache prices follow that page's factors: a tenth of the input for reads, 1.25 of it for five-minute writes.
 */
const listPrices: readonly ModelPrice[] = Object.entries(anthropic).map(([model, price]) => ({
  provider: "anthropic",
  model,
  price,
  listedOn,
}));

const fileSchema = z.strictObject({
  defaultModel: modelRefSchema.optional(),
  baseUrls: z.record(z.string(), z.url()).default({}),
  prices: z.array(modelPriceSchema.omit({ listedOn: true })).default([]),
});

/** The model that needs no key; it is a script and says so everywhere. */
export const demoModel: ModelRef = { provider: "demo", model: demoModelId };

export type ModelStore = {
  defaultModel(): ModelRef;
  setDefault(model: ModelRef): void;
  baseUrlOf(provider: ProviderId): string | undefined;
  setBaseUrl(provider: ProviderId, baseUrl: string | undefined): void;
  /** The reference with the address the person set for its provider, when it names none itself. */
  withBaseUrl(model: ModelRef): ModelRef;
  /** Every known price, those the person set first; a list price they replaced is left out. */
  prices(): ModelPrice[];
  /** The price that counts for calls of this model; a list price counts at the provider's own address only. */
  priceOf(model: ModelRef): ModelPrice | undefined;
  /** Sets the person's price, or with `null` forgets it. */
  setPrice(id: PricedId, price: Price | null): void;
  /** What was wrong with the file at start, in a sentence. */
  warnings: string[];
};

/** @param path of the file. One that cannot be read is set aside with a warning. */
export function createModelStore(path: string): ModelStore {
  const { value, warnings } = readOrSetAside(path, "file of models, addresses and prices", (content) =>
    fileSchema.parse(content),
  );
  let file = value;
  const save = (next: typeof file) => {
    writeAtomically(path, `${JSON.stringify(next, null, 2)}\n`);
    file = next;
  };
  const ownPrice = (id: PricedId) => file.prices.find((one) => isSame(one, id));
  return {
    defaultModel: () => file.defaultModel ?? demoModel,
    setDefault: (model) => save({ ...file, defaultModel: model }),
    baseUrlOf: (provider) => file.baseUrls[provider],
    setBaseUrl(provider, baseUrl) {
      const { [provider]: _old, ...others } = file.baseUrls;
      save({ ...file, baseUrls: baseUrl ? { ...others, [provider]: baseUrl } : others });
    },
    withBaseUrl: (model) => (model.baseUrl ? model : { ...model, baseUrl: file.baseUrls[model.provider] }),
    prices: () => [...file.prices, ...listPrices.filter((listed) => !ownPrice(listed))],
    priceOf: (ref) => ownPrice(ref) ?? (isAtItsProvider(ref) ? listPriceOf(ref) : undefined),
    setPrice(id, price) {
      const others = file.prices.filter((one) => !isSame(one, id));
      save({ ...file, prices: price ? [...others, { ...id, price }] : others });
    },
    warnings,
  };
}

function isSame(a: PricedId, b: PricedId): boolean {
  return a.provider === b.provider && a.model === b.model;
}

/** Whoever else answers to a model's name has prices of their own. */
function isAtItsProvider({ provider, baseUrl }: ModelRef): boolean {
  return baseUrl === undefined || baseUrl.replace(/\/+$/, "") === providers[provider].baseUrl;
}

function listPriceOf({ provider, model }: PricedId): ModelPrice | undefined {
  // Providers name a model with the day of its release too: claude-sonnet-4-5-20250929.
  const undated = model.replace(/-\d{8}$/, "");
  return listPrices.find((listed) => isSame(listed, { provider, model: undated }));
}
