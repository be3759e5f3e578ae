/** A piece of a subject: which of its lines were seen, from one look to the next. */
import { type Box, boxesOf, isPartlyInside, sightsOf } from "../../ui/visible-part.ts";

/** The boxes of a piece by number; they are others once its lines break elsewhere. */
export type Piece = { shape: string; seen: Set<number>; shown: ReadonlySet<number> };
/** What of a subject was seen: pieces to their end, and others in part. */
export type Sampled = { done: Set<string>; open: Map<string, Piece> };

/** What is in view now and was at the last look was there all the time between. What floats beside a piece is part of it. */
export function samplePiece(
  reading: Sampled,
  element: HTMLElement,
  subject: HTMLElement,
  visible: boolean,
): boolean {
  const name = nameOf(element);
  if (
    !visible ||
    ![element, ...element.querySelectorAll("[data-beside]")].some((one) => isPartlyInside(one))
  ) {
    const known = reading.open.get(name);
    if (known) known.shown = new Set();
    return false;
  }
  const boxes = boxesOf(element);
  const sights = sightsOf(boxes, element, subject);
  const shape = shapeOf(boxes);
  const before = reading.open.get(name);
  // Where the lines break anew, what was seen stands elsewhere.
  const piece: Piece = before?.shape === shape ? before : { shape, seen: new Set(), shown: new Set() };
  const shown = new Set(sights.flatMap((sight, index) => (sight === "shown" ? index : [])));
  const gains = [...shown].some((index) => !piece.shown.has(index));
  for (const index of shown) if (piece.shown.has(index)) piece.seen.add(index);
  piece.shown = shown;
  reading.open.set(name, piece);
  // Nothing says when what covers it goes away.
  if (piece.seen.size < boxes.length) return gains || sights.includes("covered");
  reading.done.add(name);
  return false;
}

/** How long each line is tells where the lines break, whatever made them break there: a width, a font or a zoom. */
export function shapeOf(boxes: readonly Box[]): string {
  return boxes.map(({ left, right }) => Math.round(right - left)).join(" ");
}

const names = new WeakMap<HTMLElement, string>();

/** All pieces of a subject, in their order. */
export function piecesOf(element: HTMLElement): HTMLElement[] {
  const pieces = [...element.querySelectorAll<HTMLElement>("[data-piece]")];
  const counts = new Map<string, number>();
  for (const piece of pieces) {
    const { piece: name = "" } = piece.dataset;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    names.set(piece, count === 0 ? name : `${name}\0${count}`);
  }
  return pieces;
}

/** The name of one of them, and of no other: the path of a file may call a piece of it like another one. */
export function nameOf(piece: HTMLElement): string {
  return names.get(piece) ?? "";
}
