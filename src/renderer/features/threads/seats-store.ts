/** The cells of the strip as they are now, for the strip, its keys and the numbers in the overview. */
import { create } from "zustand";
import type { ThreadId } from "../../../shared/ids.ts";
import { noSeats, type Seats } from "./seats.ts";

export const useSeats = create<{ seats: Seats }>(() => ({ seats: noSeats }));

/** The number of a thread's cell, from 1. */
export function useSeatOf(id: ThreadId): number | undefined {
  return useSeats(({ seats }) => (seats.includes(id) ? seats.indexOf(id) + 1 : undefined));
}
