/** The default model, the addresses of model servers and the prices a person set, in a readable file beside the database. */
import { z } from "zod";
import { type ModelPrice, modelPriceSchema, type Price, type PricedId } from "../../shared/contract/costs.ts";
import { type ModelRef, modelRefSchema, type ProviderId } from "../../shared/contract/models.ts";
import { readOrSetAside } from "../settings/read-or-set-aside.ts";
import { writeAtomically } from "../settings/settings-store.ts";
import { demoModelId } from "./demo/demo-model-id.ts";
import { listPrices } from "./list-prices.ts";
import { providers } from "./providers.ts";

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
