/** How far each subject was on the screen, and the words of it that came there since a person asked to hear them. Nothing is allowed because of it. */
import { create } from "zustand";
import { spellOut } from "../../ui/reveal-characters.ts";
import { nameOf } from "./sample-piece.ts";
import { strings } from "./strings.ts";

/** `settled`: another look would find nothing more, as long as nobody scrolls. */
type Progress = { digest: string; percent: number; settled: boolean };

export const useProgress = create<{ byKey: ReadonlyMap<string, Progress>; heard: string }>(() => ({
  byKey: new Map(),
  heard: "",
}));

/** What one look at a subject found. */
type Look = {
  key: string;
  digest: string;
  element: HTMLElement;
  pieces: readonly HTMLElement[];
  /** The names of those that were seen to their end. */
  done: ReadonlySet<string>;
  /** How much was seen of those that were begun, from 0 to 1, by name. */
  begun: ReadonlyMap<string, number>;
  settled: boolean;
  /** Whether all of it was seen. */
  inFull: boolean;
};

let listening: { key: string; digest: string; heard: Set<string> } | undefined;
/** By subject, so that listening begins with what was not seen before. */
const doneOf = new Map<string, ReadonlySet<string>>();

/** From now on what of this subject comes onto the screen to its end is said as well, each piece once. */
export function listenTo(key: string): void {
  const digest = useProgress.getState().byKey.get(key)?.digest;
  if (digest === undefined || (listening?.key === key && listening.digest === digest)) return;
  listening = { key, digest, heard: new Set(doneOf.get(key)) };
}

export function noteProgress(look: Look): void {
  const { key, digest, settled } = look;
  doneOf.set(key, new Set(look.done));
  const percent = percentOf(look);
  const { byKey } = useProgress.getState();
  const before = byKey.get(key);
  if (before?.digest !== digest || before.percent !== percent || before.settled !== settled)
    useProgress.setState({ byKey: new Map(byKey).set(key, { digest, percent, settled }) });
  if (settled) say(look, percent);
}

export function forgetProgress(keys: Iterable<string> = [...doneOf.keys()]): void {
  const byKey = new Map(useProgress.getState().byKey);
  for (const key of keys) {
    doneOf.delete(key);
    byKey.delete(key);
    if (listening?.key !== key) continue;
    listening = undefined;
    useProgress.setState({ heard: "" });
  }
  useProgress.setState({ byKey });
}

/** What is not drawn counts as much as its share of the lines; rounded down, since only the whole is all. */
function percentOf({ element, pieces, done, begun, inFull }: Look): number {
  if (inFull) return 100;
  const seen = pieces.map(nameOf).reduce((sum, piece) => {
    return sum + (done.has(piece) ? 1 : (begun.get(piece) ?? 0));
  }, 0);
  const unread = [...element.querySelectorAll<HTMLElement>("[data-unread]")];
  const hidden = unread.reduce((sum, { dataset }) => sum + Number(dataset.hiddenPieces ?? 1), 0);
  return Math.min(99, Math.floor((100 * seen) / Math.max(1, pieces.length + hidden)));
}

function say({ key, digest, pieces, done, inFull }: Look, percent: number): void {
  if (listening?.key !== key) return;
  if (listening.digest !== digest) listening = undefined;
  const { heard } = listening ?? {};
  if (!heard) return;
  const fresh = pieces.filter((piece) => done.has(nameOf(piece)) && !heard.has(nameOf(piece)));
  for (const piece of fresh) heard.add(nameOf(piece));
  const words = [
    ...fresh.flatMap((piece) => piece.innerText.split("\n").map(spellOut)),
    inFull ? strings.readToEnd : strings.readSoFar(percent),
  ].join("\n");
  useProgress.setState({ heard: words });
  if (inFull) listening = undefined;
}
