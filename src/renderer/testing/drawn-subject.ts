/** A text on plain elements in a real page for tests of what counts as seen: its layout is the browser's, its time is told by hand. */
import { beforeEach, onTestFinished, vi } from "vitest";
import { followReading, isRead, lookForRead, startReadGauge } from "../features/seen/read-gauge.ts";

export const lineHeight = 20;
/** Long enough for whatever is in view to count. */
export const aGlance = 300;

export type Subject = { box: HTMLElement; element: HTMLElement; follow: (digest: string) => () => void };

/** Has each test of a file look by a gauge of its own. */
export function gaugeByHand(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    onTestFinished(startReadGauge());
  });
}

/** A subject in a box that scrolls, each of the texts a piece of it. @param key by which the gauge knows it. */
export function drawSubject(
  pieces: readonly string[],
  { height = 200, width = 400, top = 20, key = "a" } = {},
): Subject {
  const box = document.body.appendChild(document.createElement("div"));
  box.style.cssText = `position:fixed;top:${top}px;left:20px;width:${width}px;height:${height}px;overflow:auto;font:14px/${lineHeight}px monospace`;
  const element = box.appendChild(document.createElement("div"));
  element.dataset.text = "";
  pieces.forEach((text, index) => {
    const piece = element.appendChild(document.createElement("div"));
    piece.dataset.piece = `${index}`;
    piece.style.cssText = "white-space:pre-wrap;overflow-wrap:anywhere";
    piece.textContent = text;
  });
  onTestFinished(() => box.remove());
  const follow = (digest: string) => {
    const stop = followReading({ key, digest, element });
    onTestFinished(stop);
    return stop;
  };
  return { box, element, follow };
}

export const lines = (count: number, word = "make") =>
  Array.from({ length: count }, (_, index) => `${word} part-${index}`).join("\n");

/** Something of it that is folded away, or not there yet. */
export function fold(element: HTMLElement): HTMLElement {
  const folded = element.appendChild(document.createElement("p"));
  folded.dataset.unread = "";
  return folded;
}

/** Lays something over the box, `at` pixels of the window. */
export function cover(at: { left: number; top: number; width: number; height: number }): HTMLElement {
  const element = document.body.appendChild(document.createElement("div"));
  element.style.cssText = "position:fixed;background:gray";
  for (const [side, pixels] of Object.entries(at)) element.style.setProperty(side, `${pixels}px`);
  onTestFinished(() => element.remove());
  return element;
}

/** Lets a person look for so long; whatever moved before is noticed at the beginning. */
export function lookFor(ms: number): void {
  lookForRead();
  vi.advanceTimersByTime(ms);
}

export const read = (digest = "1", key = "a") => isRead(key, digest);

export async function nextFrames(): Promise<void> {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}
