/** The keys that go from thread to thread: by cell, by age, and to those that need the person. */
import type { ThreadId } from "../../../shared/ids.ts";
import { type Action, registerActions } from "../../base/actions.ts";
import { goByKey, useRoute } from "../../base/navigation.ts";
import { showToast } from "../../ui/toast.tsx";
import { inAge } from "../threads/arrange-threads.ts";
import { seatCount } from "../threads/seats.ts";
import { useSeats } from "../threads/seats-store.ts";
import type { Standing } from "../threads/standing.ts";
import { standingsNow } from "../threads/use-standings.ts";
import { strings } from "./strings.ts";

/** @returns a function that takes them out again. */
export function registerStripActions(): () => void {
  const { section, keys } = strings;
  const step = (id: string, label: string, key: string, run: () => void): Action => ({
    id: `threads.${id}`,
    label,
    section,
    keys: [key],
    run,
  });
  return registerActions([
    step("nextNeeds", keys.nextNeeds, "i", () => goToNeedy(1)),
    step("previousNeeds", keys.previousNeeds, "Shift+i", () => goToNeedy(-1)),
    step("next", keys.next, "t", () => goAlong(inAge(standingsNow()), 1)),
    step("previous", keys.previous, "Shift+t", () => goAlong(inAge(standingsNow()), -1)),
    ...Array.from({ length: seatCount }, (_, at) => ({
      ...step(`seat${at + 1}`, keys.seat, `g ${at + 1}`, () => open(useSeats.getState().seats[at])),
      hidden: true,
    })),
  ]);
}

function goToNeedy(by: 1 | -1): void {
  const standings = inAge(standingsNow());
  const needs = ({ section }: Standing) => section === "needs";
  if (standings.some(needs)) goAlong(standings, by, needs);
  else showToast(strings.nothingNeeds);
}

/** To the next one of these after the open thread, and round; from elsewhere, to the first. */
function goAlong(
  standings: readonly Standing[],
  by: 1 | -1,
  wanted: (one: Standing) => boolean = () => true,
): void {
  const { view, id } = useRoute.getState();
  const at = view === "thread" ? standings.findIndex(({ thread }) => thread.id === id) : -1;
  const start = at >= 0 ? at : by === 1 ? -1 : 0;
  const round = standings.map((_, far) => standings.at((start + by * (far + 1)) % standings.length));
  open(round.find((one) => one !== undefined && wanted(one))?.thread.id);
}

/** The focus stays out of the message field, so that the next key goes on from there. */
function open(id: ThreadId | undefined): void {
  if (id !== undefined) goByKey({ view: "thread", id });
}
