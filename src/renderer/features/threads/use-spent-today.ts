/** What was spent today, in words; empty once the day of it is over. */
import { dayOf } from "../../../shared/day.ts";
import { useNow } from "../../base/clock.ts";
import { useSpending } from "../../base/stores/spending-store.ts";
import { formatSpent } from "./spent-words.ts";

export function useSpentToday(): string {
  const today = useSpending((state) => state.today);
  const now = useNow(30_000);
  return today?.day === dayOf(now) ? formatSpent(today.spent) : "";
}
