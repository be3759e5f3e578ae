/** Which items of a transcript the agent does not know of any more, by the turns that were taken back. */
import type { ThreadEventData } from "../contract/thread-events.ts";
import type { TranscriptItem } from "../contract/transcript.ts";

/** By each turn that was taken back, the item of the line that says so. */
export type TakenTurns = ReadonlyMap<string, string>;

/** The id of that line's item, for one way back. */
export const takenBackItemId = (takeBackId: string): string => `taken-back:${takeBackId}`;

/** The reverse of `takenBackItemId`. */
export const takeBackIdOf = (itemId: string): string => itemId.slice(takenBackItemId("").length);

/** @returns what is taken back after the event; the same map where the event is about something else */
export function foldTaken(taken: TakenTurns, data: ThreadEventData): TakenTurns {
  if (data.type !== "turns.takenBack" && data.type !== "turns.broughtBack") return taken;
  const next = new Map(taken);
  for (const turn of data.turns)
    if (data.type === "turns.takenBack") next.set(turn, data.itemId);
    else next.delete(turn);
  return next;
}

/** The item as it is shown: with the line that folds it away, or without one. */
export function markTaken<T extends TranscriptItem>(item: T, taken: TakenTurns): T {
  const line = taken.get(turnOf(item));
  if (line === item.takenBack) return item;
  const { takenBack: _before, ...rest } = item;
  return (line === undefined ? rest : { ...rest, takenBack: line }) as T;
}

/** A plan is an item of its own for each turn and carries it in its id. */
function turnOf(item: TranscriptItem): string {
  return item.kind === "plan" ? item.id.replace(/^plan:/, "") : item.turnId;
}

/** Every item as it is shown after the event; the same map where the event is about something else. */
export function applyTaken(
  items: Map<string, TranscriptItem>,
  data: ThreadEventData,
): Map<string, TranscriptItem> {
  if (data.type !== "turns.takenBack" && data.type !== "turns.broughtBack") return items;
  const before = new Map(
    [...items.values()].flatMap((item) => (item.takenBack ? [[turnOf(item), item.takenBack]] : [])),
  );
  const taken = foldTaken(before, data);
  return new Map([...items].map(([id, item]) => [id, markTaken(item, taken)]));
}
