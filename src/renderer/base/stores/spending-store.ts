/** What was spent today, as the host adds it up; `null` until it has told. */
import { create } from "zustand";
import type { DaySpent } from "../../../shared/contract/costs.ts";

export const useSpending = create<{ today: DaySpent | null }>(() => ({ today: null }));
