/** The known prices of models, read when something shows them; and the one that is being set. */
import { create } from "zustand";
import type { ModelPrice, Price, PricedId } from "../../../shared/contract/costs.ts";
import { client } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { describeError } from "../../base/words.ts";

type Prices = {
  prices?: readonly ModelPrice[];
  problem?: string;
  /** The model whose price is being set; `new` when it is still to be named. */
  setting?: PricedId | "new";
};

export const usePrices = create<Prices>(() => ({}));

/** Never throws: what went wrong stands in the store's `problem`. */
export async function loadPrices(): Promise<void> {
  try {
    usePrices.setState({ ...(await client().call("costs.prices", {})), problem: undefined });
  } catch (error) {
    usePrices.setState({ problem: describeError(error) });
  }
}

/** Sets a price, or with `null` forgets it. @throws ContractError */
export async function savePrice(id: PricedId, price: Price | null): Promise<void> {
  usePrices.setState(await client().call("costs.setPrice", { ...id, price }));
}

/** Goes to the settings, where the price of this model is asked for. */
export function askForPrice(id: PricedId): void {
  usePrices.setState({ setting: id });
  go({ view: "settings", id: "models" });
}
