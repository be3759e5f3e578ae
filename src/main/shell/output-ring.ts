/** Keeps the newest bytes of a stream under absolute offsets, so that a reader is a cursor and never a queue, and says where they may be cut. */

const firstSize = 8 * 1024;

export type OutputRing = {
  readonly capacity: number;
  /** Absolute offset of the oldest byte still held. */
  readonly start: number;
  /** Absolute offset behind the newest byte: the length of the whole stream so far. */
  readonly end: number;
  append(bytes: Uint8Array): void;
  /** A copy of at most `limit` bytes from the absolute offset `from`, which is raised to `start` if it fell out. */
  read(from: number, limit?: number): Buffer;
};

/** Makes a ring that holds the last `capacity` bytes. Memory grows with use, up to `capacity`. */
export function createOutputRing(capacity: number): OutputRing {
  let store = Buffer.allocUnsafe(Math.min(firstSize, capacity));
  let end = 0;
  const held = () => Math.min(end, store.length);

  function grow(needed: number): void {
    if (store.length === capacity || needed <= store.length) return;
    let size = store.length;
    while (size < needed && size < capacity) size = Math.min(capacity, size * 2);
    const larger = Buffer.allocUnsafe(size);
    // Before the ring wraps for the first time the bytes lie in order from 0.
    store.copy(larger, 0, 0, end);
    store = larger;
  }

  function append(bytes: Uint8Array): void {
    // Growing happens only before the first wrap; a full store is as large as it gets.
    if (end <= store.length) grow(end + bytes.length);
    const kept = bytes.length > store.length ? bytes.subarray(bytes.length - store.length) : bytes;
    const at = (end + bytes.length - kept.length) % store.length;
    const first = Math.min(kept.length, store.length - at);
    store.set(kept.subarray(0, first), at);
    store.set(kept.subarray(first), 0);
    end += bytes.length;
  }

  function read(from: number, limit = capacity): Buffer {
    const begin = Math.max(from, end - held());
    const length = Math.max(0, Math.min(limit, end - begin));
    const result = Buffer.allocUnsafe(length);
    const at = begin % store.length;
    const first = Math.min(length, store.length - at);
    store.copy(result, 0, at, at + first);
    store.copy(result, first, 0, length - first);
    return result;
  }

  return {
    capacity,
    append,
    read,
    get start() {
      return end - held();
    },
    get end() {
      return end;
    },
  };
}

/** Of UTF-8: a cut there would break a character in two. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** How many bytes a character that starts with `lead` has; 1 for anything that is no lead byte. */
function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** The first offset at or behind `from` that starts a character. Looks at most 3 bytes ahead, so garbage stays garbage. */
export function borderAtOrAfter(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < from + 3 && isContinuation(bytes[at])) at += 1;
  return Math.min(at, bytes.length);
}

/** The last offset at or before `to` that ends a character. */
export function borderAtOrBefore(bytes: Uint8Array, to: number): number {
  let lead = to - 1;
  while (lead > to - 4 && lead > 0 && isContinuation(bytes[lead])) lead -= 1;
  const first = bytes[lead];
  if (first === undefined || isContinuation(first)) return to;
  return lead + characterLength(first) > to ? lead : to;
}
