/** Finds which parts of a text stand in texts that were read before, however they are cased, spaced or punctuated. */
import { giveWay } from "../base/give-way.ts";
import type { Span } from "./addresses.ts";
import type { Folded } from "./fold-text.ts";

/** @param T a text with what is known of it */
export type FoundSpan<T> = Span & { in: T };

/** Letters and digits that two texts have in common by chance, if they speak of the same. */
export const shortestSpan = 24;
/** Of what must not go anywhere a part is too much already. */
export const shortestSecret = 6;

/** What is looked through between two turns of the loop; about a third of a millisecond. */
const pieceChars = 32_000;

/**
 * Linear in all that is looked through, and gives way to the loop.
 * @param folded the text; the spans are in the characters of it as it was given
 * @param persons what the person wrote, folded; no span is found that stands there too
 * @param sources newest first: of two that hold a span, the first one gets it
 */
export async function findSpans<T extends { folded: string }>(
  folded: Folded,
  persons: readonly string[],
  sources: readonly T[],
  length: number,
): Promise<FoundSpan<T>[]> {
  const windows = await windowsOf(folded.text, length);
  if (windows.places.size === 0) return [];
  for (const words of persons) await eachWindowIn(words, windows, (window) => windows.places.delete(window));
  const owner: (T | undefined)[] = [];
  for (const source of sources)
    await eachWindowIn(source.folded, windows, (window, places) => {
      for (const place of places) owner[place] = source;
      windows.places.delete(window);
    });
  return joinSpans(folded, owner, length);
}

type Windows = { length: number; places: Map<string, number[]>; mayBegin: Uint8Array };

const bits = 16;
const mask = (1 << bits) - 1;

async function windowsOf(folded: string, length: number): Promise<Windows> {
  const places = new Map<string, number[]>();
  const mayBegin = new Uint8Array(1 << bits);
  for (let at = 0; at + length <= folded.length; at += 1) {
    if (at % pieceChars === pieceChars - 1) await giveWay();
    const window = folded.slice(at, at + length);
    const known = places.get(window);
    if (known) known.push(at);
    else places.set(window, [at]);
    mayBegin[keyAt(folded, at)] = 1;
  }
  return { length, places, mayBegin };
}

/** Of four characters sixteen bits: enough to pass over almost all that does not begin a window. */
function keyAt(folded: string, at: number): number {
  let key = 0;
  for (let next = at; next < at + 4; next += 1) key = (key << 5) | (folded.charCodeAt(next) & 31);
  return key & mask;
}

async function eachWindowIn(
  folded: string,
  { length, places, mayBegin }: Windows,
  tell: (window: string, places: number[]) => void,
): Promise<void> {
  for (let at = 0; at + length <= folded.length && places.size > 0; at += 1) {
    if (at % pieceChars === 0) await giveWay();
    if (mayBegin[keyAt(folded, at)] === 0) continue;
    const window = folded.slice(at, at + length);
    const known = places.get(window);
    if (known) tell(window, known);
  }
}

/** Windows that touch are one span, in the characters of the text as it was given. */
function joinSpans<T>({ at }: Folded, owner: readonly (T | undefined)[], length: number): FoundSpan<T>[] {
  const spans: (FoundSpan<T> & { last: number })[] = [];
  for (const [place, of] of owner.entries()) {
    if (of === undefined) continue;
    const end = at[place + length - 1]! + 1;
    const before = spans.at(-1);
    if (before && before.in === of && place <= before.last + length)
      Object.assign(before, { end, last: place });
    else spans.push({ start: at[place]!, end, in: of, last: place });
  }
  return spans.map(({ last: _last, ...span }) => span);
}
