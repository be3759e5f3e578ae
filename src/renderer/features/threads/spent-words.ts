/** What was spent, in as few letters as a list has room for. */
import type { Spent } from "../../../shared/contract/costs.ts";
import { writeDollars } from "../../../shared/dollars.ts";
import { strings } from "./strings.ts";

/** "$0.42", "$0.42+" where some calls have no price; nothing where nothing is known to have been spent. */
export function formatSpent(spent: Spent | undefined): string {
  if (!spent) return "";
  const { dollars, more } = spent;
  if (dollars === undefined) return more ? strings.noPrice : "";
  const { least, more: orMore } = strings.spent;
  const amount = dollars < 0.005 ? least : writeDollars(dollars);
  return more ? orMore(amount) : amount;
}
