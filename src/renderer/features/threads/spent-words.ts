/** What was spent, in as few letters as a list has room for. */
import type { Spent } from "../../../shared/contract/costs.ts";
import { dayOf } from "../../../shared/day.ts";
import { writeDollars } from "../../../shared/dollars.ts";
import { useNow } from "../../base/clock.ts";
import { useSpending } from "../../base/stores/host-store.ts";
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

/** What was spent today; empty once the day of it is over. */
export function useSpentToday(): string {
  const today = useSpending((state) => state.today);
  const now = useNow(30_000);
  return today?.day === dayOf(now) ? formatSpent(today.spent) : "";
}
