/**
 * What of each card was really on the screen. A subject is drawn in pieces, `[data-piece]`; each counts once every
 * pixel of it stood in view for a moment. The one record that every decision asks, whatever pressed it.
 */
import { create } from "zustand";
import { isUncovered, type Part, partInView } from "../../ui/visible-part.ts";

/** It is read when all its pieces were seen and nothing in it is marked `[data-unread]`: folded away, or not there yet. */
export type Drawn = { key: string; digest: string; element: HTMLElement };

type Piece = { height: number; seen: Part[]; lastInView?: Part };
type Reading = { digest: string; done: Set<string>; open: Map<string, Piece>; sampledAt: number };

/** A piece counts when it stood in view this long; what flies past was not shown. */
const glanceMs = 100;

const readings = new Map<string, Reading>();
const drawn = new Map<string, Drawn>();
const waived = new Map<string, string>();

/** Keys of what was on the screen to its end, with the digest it had. */
export const useRead = create<{ read: ReadonlyMap<string, string> }>(() => ({ read: new Map() }));

/** Follows a subject while it is drawn. @returns a function that ends it; what was seen is kept. */
export function followReading(subject: Drawn): () => void {
  const { key, digest } = subject;
  if (readings.get(key)?.digest !== digest) {
    readings.set(key, { digest, done: new Set(), open: new Map(), sampledAt: Number.NEGATIVE_INFINITY });
    noteRead(key, undefined);
  }
  drawn.set(key, subject);
  const sizes = new ResizeObserver(lookForRead);
  sizes.observe(subject.element.closest("[data-row]") ?? subject.element);
  lookForRead();
  return () => {
    sizes.disconnect();
    if (drawn.get(key) === subject) drawn.delete(key);
  };
}

/** @returns a function that stops looking and forgets what was seen. */
export function startReadGauge(): () => void {
  const events = ["scroll", "resize", "visibilitychange"] as const;
  const targets = [document, window] as const;
  for (const target of targets) for (const event of events) target.addEventListener(event, lookForRead, true);
  return () => {
    for (const target of targets)
      for (const event of events) target.removeEventListener(event, lookForRead, true);
    clearTimeout(timer);
    timer = undefined;
    readings.clear();
    waived.clear();
    useRead.setState({ read: new Map() });
  };
}

/** Whether this, as it is drawn now, was on the screen to its end, or a person chose not to read it to there. */
export function isRead(key: string, digest: string): boolean {
  if (!wasRead(key, digest)) return false;
  return isWhole(key) || waived.get(key) === digest;
}

/** The same for what may have left the screen or been folded since. */
export function wasRead(key: string, digest: string): boolean {
  return useRead.getState().read.get(key) === digest;
}

/** Takes it as read: the person said so, knowing that it was not shown to its end. */
export function waiveReading(key: string, digest: string): void {
  waived.set(key, digest);
  noteRead(key, digest);
}

/** Whether all of it is drawn. */
export function isWhole(key: string): boolean {
  const element = drawn.get(key)?.element;
  return element !== undefined && element.querySelector("[data-unread]") === null;
}

export function drawnOf(key: string): Drawn | undefined {
  return drawn.get(key);
}

/** The first piece that was not seen, where it stands. */
export function firstUnread(key: string): HTMLElement | undefined {
  const subject = drawn.get(key);
  const done = readings.get(key)?.done;
  return subject && piecesOf(subject.element).find((piece) => !done?.has(piece.dataset.piece ?? ""));
}

/** Whether all of it is in view now, so that it is read after another glance. */
function isAboutToBeRead(key: string): boolean {
  const element = drawn.get(key)?.element;
  if (!element || !isWhole(key) || !isUncovered(element)) return false;
  const done = readings.get(key)?.done;
  return piecesOf(element).every((piece) => {
    const part = partInView(piece);
    const { height } = piece.getBoundingClientRect();
    return done?.has(piece.dataset.piece ?? "") || height < 1 || (part && part.to - part.from >= height - 1);
  });
}

/** Waits while all of it is in view and only a glance is missing. @returns whether it is read then. */
export async function untilRead(key: string, digest: string): Promise<boolean> {
  for (let looks = 0; looks < 10 && !isRead(key, digest) && isAboutToBeRead(key); looks += 1)
    await nextReading();
  return isRead(key, digest);
}

/** Resolves at the next change of what was read, or after a few glances without one. */
function nextReading(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop();
      clearTimeout(timeout);
      resolve();
    };
    const stop = useRead.subscribe(end);
    const timeout = setTimeout(end, 5 * glanceMs);
    lookForRead();
  });
}

/** Forgets what is gone. */
export function forgetReadings(keys: readonly string[]): void {
  for (const key of keys) {
    readings.delete(key);
    waived.delete(key);
    noteRead(key, undefined);
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;
let lookedAt = Number.NEGATIVE_INFINITY;

/** Looks at once, or when the last look is a glance ago; called whenever something moved. */
export function lookForRead(): void {
  if (timer !== undefined) return;
  const waitMs = Math.max(0, lookedAt + glanceMs - performance.now());
  timer = setTimeout(() => {
    timer = undefined;
    lookedAt = performance.now();
    let again = false;
    for (const subject of drawn.values()) again = sample(subject, lookedAt) || again;
    if (again) lookForRead();
  }, waitMs);
}

/** @returns whether something of it is in view that another look can make seen. */
function sample(subject: Drawn, now: number): boolean {
  const { key, digest, element } = subject;
  const reading = readings.get(key);
  if (!reading || reading.digest !== digest || !element.isConnected) return false;
  const pieces = piecesOf(element);
  const open = pieces.filter((piece) => !reading.done.has(piece.dataset.piece ?? ""));
  if (open.length === 0) {
    if (pieces.length > 0 && isWhole(key)) noteRead(key, digest);
    return false;
  }
  if (document.visibilityState !== "visible" || !isUncovered(element)) {
    for (const piece of reading.open.values()) piece.lastInView = undefined;
    return partInView(element) !== undefined;
  }
  const counts = now - reading.sampledAt >= glanceMs;
  reading.sampledAt = now;
  let again = false;
  for (const piece of open) again = samplePiece(reading, piece, counts) || again;
  const allSeen = open.every((piece) => reading.done.has(piece.dataset.piece ?? ""));
  if (allSeen && isWhole(key)) noteRead(key, digest);
  return again;
}

/** What is in view now and was at the last look was there all the time between. */
function samplePiece(reading: Reading, element: HTMLElement, counts: boolean): boolean {
  const name = element.dataset.piece ?? "";
  const { height } = element.getBoundingClientRect();
  const before = reading.open.get(name);
  // Where the lines break anew, what was seen stands elsewhere.
  const piece: Piece = before?.height === height ? before : { height, seen: [] };
  const inView = partInView(element);
  const gains = !counts || inView?.from !== piece.lastInView?.from || inView?.to !== piece.lastInView?.to;
  if (inView && piece.lastInView && counts) piece.seen = joined(piece.seen, inView, piece.lastInView);
  piece.lastInView = inView;
  reading.open.set(name, piece);
  if (!isCovered(piece)) return inView !== undefined && gains;
  reading.done.add(name);
  reading.open.delete(name);
  return false;
}

/** Whether all of its height was seen; the edges of a box fall between pixels. */
function isCovered({ height, seen: [first, ...others] }: Piece): boolean {
  if (height < 1) return true;
  return first !== undefined && others.length === 0 && first.from <= 1 && first.to >= height - 1;
}

/** The ranges with the common part of two others in them, those that touch made one. */
function joined(ranges: readonly Part[], one: Part, other: Part): Part[] {
  const common = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
  if (common.to <= common.from) return [...ranges];
  const sorted = [...ranges, common].sort((a, b) => a.from - b.from);
  const result: Part[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else result.push({ ...range });
  }
  return result;
}

function piecesOf(element: HTMLElement): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>("[data-piece]")];
}

function noteRead(key: string, digest: string | undefined): void {
  const { read } = useRead.getState();
  if (read.get(key) === digest) return;
  const next = new Map(read);
  if (digest === undefined) next.delete(key);
  else next.set(key, digest);
  useRead.setState({ read: next });
}
