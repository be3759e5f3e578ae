/** Which thread has which cell of the strip. A thread keeps its cell; one that leaves leaves it empty. Pure. */
import type { ThreadId } from "../../../shared/ids.ts";
import { inAge } from "./arrange-threads.ts";
import type { Standing } from "./standing.ts";

export const seatCount = 9;

/** `undefined` is an empty cell. */
export type Seats = readonly (ThreadId | undefined)[];

export const noSeats: Seats = Array.from({ length: seatCount }, () => undefined);

/** Gives a cell to every thread that is not idle, as long as there are any: empty ones first, then those of idle threads. */
export function seat(before: Seats, standings: readonly Standing[]): Seats {
  const byAge = inAge(standings);
  if (byAge.length === 0) return noSeats;
  if (before.every((id) => id === undefined)) return firstSeats(byAge);
  const known = new Map(byAge.map((standing) => [standing.thread.id, standing]));
  const seats = before.map((id) => (id !== undefined && known.has(id) ? id : undefined));
  for (const standing of byAge) {
    const { id, status } = standing.thread;
    if (seats.includes(id)) continue;
    const free = seats.indexOf(undefined);
    if (free >= 0 && (standing.section !== "idle" || status === "new")) seats[free] = id;
    else if (free < 0 && standing.section !== "idle") {
      const idle = longestIdle(seats, known);
      if (idle >= 0) seats[idle] = id;
    }
  }
  return seats.every((id, at) => id === before[at]) ? before : seats;
}

/** How many threads that are not idle have no cell. */
export function withoutSeat(seats: Seats, standings: readonly Standing[]): Standing[] {
  return inAge(standings).filter(({ thread, section }) => section !== "idle" && !seats.includes(thread.id));
}

/** Whoever is not idle, then those that rest since the shortest time; in the order of their age. */
function firstSeats(byAge: readonly Standing[]): Seats {
  const chosen = new Set(
    [...byAge]
      .sort(
        (a, b) =>
          Number(a.section === "idle") - Number(b.section === "idle") ||
          b.thread.updatedAt - a.thread.updatedAt,
      )
      .slice(0, seatCount),
  );
  const ids = byAge.filter((standing) => chosen.has(standing)).map(({ thread }) => thread.id);
  return noSeats.map((_, at) => ids[at]);
}

function longestIdle(seats: Seats, known: ReadonlyMap<ThreadId, Standing>): number {
  const idle = seats
    .flatMap((id, at) => {
      const standing = id === undefined ? undefined : known.get(id);
      return standing?.section === "idle" ? [{ at, since: standing.thread.updatedAt }] : [];
    })
    .sort((a, b) => a.since - b.since);
  return idle[0]?.at ?? -1;
}
