/** The frame of a stream that has begun and not ended: as it was read, and of a long one with its strings cut. */

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

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
const shortEscapeLength = 2;
const longEscapeLength = 6;

/** Bytes of a UTF-16 unit as UTF-8; half of a pair counts as half of it, since the other half follows. */
function bytesOfUnit(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
}

function lengthOfEscape(text: string, at: number): number {
  return text.charCodeAt(at + 1) === letterU ? longEscapeLength : shortEscapeLength;
}

function bytesOfEscape(text: string, at: number, length: number): number {
  return length === shortEscapeLength ? 1 : bytesOfUnit(Number.parseInt(text.slice(at + 2, at + length), 16));
}

/** Reads one JSON text piece by piece; what stands outside of strings is passed on as it is. */
export class LongStringCutter {
  readonly #mostBytes: number;
  #inString = false;
  /** What may still be kept of the string that has begun, in bytes of what it says. */
  #left = 0;
  /** Of this string nothing more is kept: a shorter character could fit again. */
  #isFull = false;
  /** An escape whose end is still to come. */
  #begun = "";

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** @returns what is kept of the next piece; an escape that it breaks off comes with the piece that ends it. */
  take(piece: string): string {
    const text = this.#begun + piece;
    this.#begun = "";
    let kept = "";
    for (let at = 0; at < text.length; ) {
      const end = this.#inString ? endOfString(text, at) : endOfRest(text, at);
      if (!this.#isFull) kept += text.slice(at, this.#inString ? this.#endOfFit(text, at, end) : end);
      at = end;
      if (text.charCodeAt(at) === quote) {
        kept += '"';
        at += 1;
        this.#inString = !this.#inString;
        this.#isFull = false;
        this.#left = this.#mostBytes;
      } else if (at < text.length) {
        this.#begun = text.slice(at);
        return kept;
      }
    }
    return kept;
  }

  /** How much of a part of a string fits. */
  #endOfFit(text: string, from: number, end: number): number {
    let at = from;
    while (at < end) {
      const unit = text.charCodeAt(at);
      const isEscape = unit === backslash;
      const length = isEscape ? lengthOfEscape(text, at) : 1;
      const bytes = isEscape ? bytesOfEscape(text, at, length) : bytesOfUnit(unit);
      if (bytes > this.#left) {
        this.#isFull = true;
        return at;
      }
      this.#left -= bytes;
      at += length;
    }
    return at;
  }
}

/** The index of the next string, or of the end. */
function endOfRest(text: string, from: number): number {
  const at = text.indexOf('"', from);
  return at === -1 ? text.length : at;
}

/** The index of its quote, of an escape that is not whole yet, or of the end. */
function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === quote) return at;
    const length = unit === backslash ? lengthOfEscape(text, at) : 1;
    if (at + length > text.length) return at;
    at += length;
  }
  return at;
}
