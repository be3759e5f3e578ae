/** The frame of a stream that has begun and not ended: as it was read, and of a long one with its strings cut. */
import { LongStringCutter } from "./long-string-cutter.ts";

/** From so many characters on its strings are cut while it arrives. */
const longFrame = 1024 * 1024;
/** More than what of an answer is kept, so that one that was cut here is known there to be too long. */
const longestString = 640_000;

export class PendingFrame {
  readonly #findBoundary: (text: string) => { index: number } | null;
  /** A long one comes in many reads, and is put together once. */
  #pieces: string[] = [];
  /** The end of what was read of it: a boundary may have begun in it. */
  #tail = "";
  /** Only of a long frame: to look at every character costs time. */
  #cutter: LongStringCutter | undefined;
  /** In characters, of what is kept. */
  length = 0;

  /** @param findBoundary finds where a frame ends. */
  constructor(findBoundary: (text: string) => { index: number } | null) {
    this.#findBoundary = findBoundary;
  }

  /** Whether it ends in what was read next. */
  endsIn(read: string): boolean {
    return this.#findBoundary(this.#tail + read) !== null;
  }

  /** Whether it begins as a comment does, which says nothing. */
  get isComment(): boolean {
    return this.#pieces[0]?.startsWith(":") === true;
  }

  /** Goes on with what was read next, in which it does not end. */
  keep(read: string): void {
    if (read === "") return;
    this.#add(this.#cutter?.take(read) ?? read);
    // A boundary is four characters at most.
    this.#tail = (this.#tail + read).slice(-3);
    if (this.#cutter !== undefined || this.length <= longFrame) return;
    this.#cutter = new LongStringCutter(longestString);
    const whole = this.#pieces.join("");
    this.#pieces = [];
    this.length = 0;
    this.#add(this.#cutter.take(whole));
  }

  /** Ends it. @returns what was kept of it and then, untouched, what was read behind its end. */
  end(read: string): string {
    const boundary = this.#findBoundary(this.#tail + read);
    const at = boundary === null ? read.length : Math.max(0, boundary.index - this.#tail.length);
    const last = read.slice(0, at);
    const text = this.#pieces.join("") + (this.#cutter?.take(last) ?? last) + read.slice(at);
    this.#pieces = [];
    this.length = 0;
    this.#tail = "";
    this.#cutter = undefined;
    return text;
  }

  #add(text: string): void {
    this.#pieces.push(text);
    this.length += text.length;
  }
}
