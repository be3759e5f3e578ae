/**
 * What of each card was really on the screen. A subject is drawn in pieces, `[data-piece]`; each counts once every line
 * of it stood in view for a moment. The one record that every decision asks, whatever pressed it.
 */
import { create } from "zustand";
import { boxesOf, isPartlyInside, lookAtAll, sightsOf } from "../../ui/visible-part.ts";
import { forgetProgress, noteProgress } from "./read-progress.ts";
import { nameOf, piecesOf, type Sampled, samplePiece, shapeOf } from "./sample-piece.ts";
import { countViewings, forgetViewings, noteInView } from "./viewing-time.ts";

/**
 * It is read when all its pieces were seen and nothing in it is marked `[data-unread]`: folded away, or not there yet.
 * `namedByContent`: its pieces are named by what stands in them, so that those that were seen stay so when others change.
 */
export type Drawn = { key: string; digest: string; element: HTMLElement; namedByContent?: boolean };

type Reading = Sampled & { digest: string; seenInFull: boolean };

/** A piece counts when it stood in view this long; what flies past was not shown. */
const glanceMs = 100;

const readings = new Map<string, Reading>();
const drawn = new Map<string, Drawn>();
/** Of a subject, the texts in it, `[data-text]`, that a person chose not to read to their end. */
const waived = new Map<string, { digest: string; texts: Set<string> }>();

/** Keys of what was on the screen to its end, with the digest it had. */
export const useRead = create<{ read: ReadonlyMap<string, string> }>(() => ({ read: new Map() }));

/** Follows a subject while it is drawn. @returns a function that ends it; what was seen is kept. */
export function followReading(subject: Drawn): () => void {
  const { key, digest, namedByContent = false } = subject;
  const before = readings.get(key);
  if (before?.digest !== digest) {
    readings.set(key, {
      digest,
      done: new Set(namedByContent ? before?.done : []),
      open: new Map(),
      seenInFull: false,
    });
    noteRead(key, undefined);
  }
  drawn.set(key, subject);
  const sizes = new ResizeObserver(lookForRead);
  // It tells at once, and then of whatever changes: in the row something else may push the subject on.
  for (const element of [subject.element, subject.element.closest("[data-row]")])
    if (element) sizes.observe(element);
  // The time in view counts from now on.
  lookForRead();
  return () => {
    sizes.disconnect();
    if (drawn.get(key) !== subject) return;
    drawn.delete(key);
    noteInView(key, digest, false);
  };
}

/** @returns a function that stops looking and forgets what was seen. */
export function startReadGauge(): () => void {
  const events = ["scroll", "resize", "visibilitychange"] as const;
  const targets = [document, window, window.visualViewport].filter((target) => target !== null);
  for (const target of targets) for (const event of events) target.addEventListener(event, lookForRead, true);
  document.addEventListener("visibilitychange", countViewings);
  return () => {
    document.removeEventListener("visibilitychange", countViewings);
    for (const target of targets)
      for (const event of events) target.removeEventListener(event, lookForRead, true);
    clearTimeout(timer);
    timer = undefined;
    lookedAt = Number.NEGATIVE_INFINITY;
    readings.clear();
    waived.clear();
    forgetViewings();
    forgetProgress();
    useRead.setState({ read: new Map() });
  };
}

/** Whether this, as it is drawn now, was on the screen to its end, but for what a person chose not to read to there. */
export function isRead(key: string, digest: string): boolean {
  return wasRead(key, digest) && isWhole(key);
}

/** The same for what may have left the screen or been folded since. */
export function wasRead(key: string, digest: string): boolean {
  return useRead.getState().read.get(key) === digest;
}

/** Whether all of it was on the screen; what was only taken as read was not. */
export function wasSeenInFull(key: string, digest: string): boolean {
  const reading = readings.get(key);
  return reading?.digest === digest && reading.seenInFull;
}

/**
 * Takes the text as read in which an element of it stands: the person said so, knowing that this text was not shown to
 * its end. What else stands beside it they have to see.
 */
export function waiveReading(key: string, digest: string, element: Element): void {
  const before = waived.get(key);
  const texts = before?.digest === digest ? before.texts : [];
  const text = textAround(key, element);
  if (text !== undefined) waived.set(key, { digest, texts: new Set([...texts, text]) });
  const subject = drawn.get(key);
  if (subject) sample(subject);
}

/** Whether it stands in a text that the person chose not to read. */
export function isWaived(key: string, element: Element): boolean {
  const of = waived.get(key);
  const text = of?.digest === drawn.get(key)?.digest ? textAround(key, element) : undefined;
  return text !== undefined && of?.texts.has(text) === true;
}

/** The name of the text in which it stands; what is called alike is told apart by its place. */
function textAround(key: string, element: Element): string | undefined {
  const text = element.closest<HTMLElement>("[data-text]");
  if (!text) return undefined;
  const all = drawn.get(key)?.element.querySelectorAll<HTMLElement>("[data-text]") ?? [];
  const alike = [...all].filter((one) => one.dataset.text === text.dataset.text);
  return `${alike.indexOf(text)} ${text.dataset.text}`;
}

/** Whether all of it is drawn. */
export function isWhole(key: string): boolean {
  const element = drawn.get(key)?.element;
  if (element === undefined) return false;
  return [...element.querySelectorAll("[data-unread], textarea")].every(
    (one) =>
      isWaived(key, one) || (!one.matches("[data-unread]") && one.scrollHeight <= one.clientHeight + 2),
  );
}

export function drawnOf(key: string): Drawn | undefined {
  return drawn.get(key);
}

/** The first piece that was not seen, and how far below its upper edge that begins. */
export function firstUnread(key: string): { piece: HTMLElement; below: number } | undefined {
  const subject = drawn.get(key);
  const reading = readings.get(key);
  const piece =
    subject &&
    piecesOf(subject.element).find((one) => !reading?.done.has(nameOf(one)) && !isWaived(key, one));
  if (!piece) return undefined;
  const known = reading?.open.get(nameOf(piece));
  const boxes = boxesOf(piece);
  const unseen = known?.shape === shapeOf(boxes) && boxes.find((_, index) => !known.seen.has(index));
  return { piece, below: unseen ? unseen.top - piece.getBoundingClientRect().top : 0 };
}

/** Whether all of it is in view now, so that it is read after another glance. */
function isAboutToBeRead(key: string): boolean {
  const element = drawn.get(key)?.element;
  if (!element || !isWhole(key)) return false;
  const done = readings.get(key)?.done;
  return lookAtAll(() =>
    piecesOf(element).every((piece) => {
      if (done?.has(nameOf(piece)) || isWaived(key, piece)) return true;
      return sightsOf(boxesOf(piece), piece, element).every((sight) => sight === "shown");
    }),
  );
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
  forgetViewings(keys);
  forgetProgress(keys);
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
    for (const subject of drawn.values()) again = sample(subject) || again;
    if (again) lookForRead();
  }, waitMs);
}

/** @returns whether something of it is in view that another look can make seen. */
function sample(subject: Drawn): boolean {
  const { key, digest, element } = subject;
  const reading = readings.get(key);
  // Forgotten while it still stands there.
  if (!reading) return false;
  noteInView(key, digest, isPartlyInside(element));
  const pieces = piecesOf(element);
  const isSeen = (piece: HTMLElement) => reading.done.has(nameOf(piece));
  const open = pieces.filter((piece) => !isSeen(piece));
  const visible = document.visibilityState === "visible";
  let again = false;
  if (open.length > 0)
    lookAtAll(() => {
      for (const piece of open) again = samplePiece(reading, piece, element, visible) || again;
    });
  const something = pieces.length > 0 || waived.get(key)?.digest === digest;
  if (something && isWhole(key) && open.every((piece) => isSeen(piece) || isWaived(key, piece))) {
    reading.seenInFull ||= pieces.every(isSeen) && element.querySelector("[data-unread]") === null;
    noteRead(key, digest);
  }
  tellProgress(subject, reading, pieces, again);
  return again;
}

function tellProgress(
  subject: Drawn,
  reading: Reading,
  pieces: readonly HTMLElement[],
  again: boolean,
): void {
  const begun = [...reading.open].map(([name, { seen, shape }]): [string, number] => {
    return [name, seen.size / Math.max(1, shape.split(" ").length)];
  });
  noteProgress({
    ...subject,
    pieces,
    done: reading.done,
    begun: new Map(begun),
    settled: !again,
    inFull: reading.seenInFull,
  });
}

function noteRead(key: string, digest: string | undefined): void {
  const { read } = useRead.getState();
  if (read.get(key) === digest) return;
  const next = new Map(read);
  if (digest === undefined) next.delete(key);
  else next.set(key, digest);
  useRead.setState({ read: next });
}
