/** Which thread has which cell of the strip. A thread keeps its cell; one that leaves leaves it empty. Pure. */
import type { ThreadId } from "../../../shared/ids.ts";
import { inAge } from "./arrange-threads.ts";
import type { Section, Standing } from "./standing.ts";

export const seatCount = 9;

/** `undefined` is an empty cell. */
export type Seats = readonly (ThreadId | undefined)[];

export const noSeats: Seats = Array.from({ length: seatCount }, () => undefined);

/** Who may take whose cell when none is empty: what needs the person or works, then what has finished, then what rests. */
const rankOf: Record<Section, number> = { needs: 0, working: 0, finished: 1, idle: 2 };

/** Gives a cell to every thread that is not idle, as long as there are any: an empty one, or one of a lesser rank. */
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
    else if (free < 0) {
      const taken = placeToTake(seats, known, rankOf[standing.section]);
      if (taken !== undefined) seats[taken] = id;
    }
  }
  return seats.every((id, at) => id === before[at]) ? before : seats;
}

/** The threads that are not idle and have no cell. */
export function withoutSeat(seats: Seats, standings: readonly Standing[]): Standing[] {
  return inAge(standings).filter(({ thread, section }) => section !== "idle" && !seats.includes(thread.id));
}

/** Those of the first rank, then the next, the latest of each; in the order of their age. */
function firstSeats(byAge: readonly Standing[]): Seats {
  const chosen = new Set(
    [...byAge]
      .sort((a, b) => rankOf[a.section] - rankOf[b.section] || b.thread.updatedAt - a.thread.updatedAt)
      .slice(0, seatCount),
  );
  const ids = byAge.filter((standing) => chosen.has(standing)).map(({ thread }) => thread.id);
  return noSeats.map((_, at) => ids[at]);
}

/** The cell of the thread that matters least, and of those the one that changed least lately. */
function placeToTake(seats: Seats, known: ReadonlyMap<ThreadId, Standing>, rank: number): number | undefined {
  const lesser = seats.flatMap((id, at) => {
    const standing = id === undefined ? undefined : known.get(id);
    return standing && rankOf[standing.section] > rank ? [{ at, standing }] : [];
  });
  lesser.sort(
    ({ standing: a }, { standing: b }) =>
      rankOf[b.section] - rankOf[a.section] || a.thread.updatedAt - b.thread.updatedAt,
  );
  return lesser[0]?.at;
}
