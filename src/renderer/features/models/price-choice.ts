/** A price as a form holds it, in the words a person typed. */
import { type Price, priceSchema } from "../../../shared/contract/costs.ts";
import { strings } from "./strings.ts";

export const priceFields = ["input", "output", "cacheRead", "cacheWrite"] as const;
export type PriceField = (typeof priceFields)[number];

const optional: readonly PriceField[] = ["cacheRead", "cacheWrite"];

export type PriceChoice = Record<PriceField, string>;

export function toChoice(price: Price | undefined): PriceChoice {
  const text = (field: PriceField) => price?.[field]?.toString() ?? "";
  return {
    input: text("input"),
    output: text("output"),
    cacheRead: text("cacheRead"),
    cacheWrite: text("cacheWrite"),
  };
}

/** @returns the price when every amount is one, or what is wrong in which field. */
export function readPrice(
  choice: PriceChoice,
): { price: Price } | { problems: Partial<Record<PriceField, string>> } {
  const amounts: Partial<Record<PriceField, number>> = {};
  const problems: Partial<Record<PriceField, string>> = {};
  for (const field of priceFields) {
    const text = choice[field]
      .trim()
      .replace(/^\$\s*/, "")
      .replace(",", ".");
    if (text === "" && optional.includes(field)) continue;
    const amount = /^\d+(\.\d+)?$|^\.\d+$/.test(text) ? Number(text) : undefined;
    if (amount === undefined || !priceSchema.shape.input.safeParse(amount).success)
      problems[field] = strings.badAmount;
    else amounts[field] = amount;
  }
  const price = priceSchema.safeParse(amounts);
  return price.success && Object.keys(problems).length === 0 ? { price: price.data } : { problems };
}
