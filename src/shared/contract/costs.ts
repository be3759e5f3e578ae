/** What model calls are estimated to have cost: the prices, and the sums of a thread and its turns. */
import { z } from "zod";
import { threadIdSchema, turnIdSchema } from "../ids.ts";
import { modelRefSchema, providerIdSchema } from "./models.ts";
import { procedure } from "./procedure.ts";

const dollarsPerMillion = z.number().min(0).max(100_000);

/** US dollars per million tokens. Input with no cache price of its own costs what other input costs. */
export const priceSchema = z.strictObject({
  input: dollarsPerMillion,
  output: dollarsPerMillion,
  cacheRead: dollarsPerMillion.optional(),
  cacheWrite: dollarsPerMillion.optional(),
});
export type Price = z.infer<typeof priceSchema>;

/** Prices belong to the model's id at a provider, whatever the address. */
const pricedIdSchema = z.strictObject({ provider: providerIdSchema, model: modelRefSchema.shape.model });
export type PricedId = z.infer<typeof pricedIdSchema>;

export const modelPriceSchema = z.strictObject({
  ...pricedIdSchema.shape,
  price: priceSchema,
  /** The day (YYYY-MM-DD) of a list price that came with the app; absent when the person set the price. */
  listedOn: z.iso.date().optional(),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** An estimate at the prices of now. */
export const costSchema = z.strictObject({
  /** US dollars for the calls whose price is known; absent when no price is. */
  dollars: z.number().optional(),
  /** Models that were called and have no price. */
  unpriced: z.array(pricedIdSchema),
  /** The oldest day of the list prices in it, if there are any. */
  listedOn: z.iso.date().optional(),
});
export type Cost = z.infer<typeof costSchema>;

/** A cost in short, for lists and totals. */
export const spentSchema = z.strictObject({
  /** US dollars for the calls whose price is known; absent when no price is. */
  dollars: z.number().optional(),
  /** Whether it is more, since some calls have no price. */
  more: z.boolean(),
});
export type Spent = z.infer<typeof spentSchema>;

/** What was spent on one day of the person's calendar (YYYY-MM-DD); `spent` is absent where nothing was. */
export const daySpentSchema = z.strictObject({ day: z.iso.date(), spent: spentSchema.optional() });
export type DaySpent = z.infer<typeof daySpentSchema>;

const prices = z.strictObject({ prices: z.array(modelPriceSchema) });

export const costsContract = {
  "costs.prices": procedure(z.strictObject({}), prices),
  /** Sets a price, or with `null` forgets it, so that the list price counts again where there is one. */
  "costs.setPrice": procedure(
    z.strictObject({ ...pricedIdSchema.shape, price: priceSchema.nullable() }),
    prices,
  ),
  /** Sums over every call of the thread, those of sub-agents too. What cost nothing or told no tokens is absent. */
  "costs.ofThread": procedure(
    z.strictObject({ threadId: threadIdSchema, turnIds: z.array(turnIdSchema).max(200) }),
    z.strictObject({ thread: costSchema.optional(), turns: z.record(z.string(), costSchema) }),
  ),
};
