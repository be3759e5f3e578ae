/** Counts what a text or a value takes on the wire: the UTF-8 bytes of its JSON, which `length` says nothing of. */

type Encoder = { encodeInto(text: string, into: Uint8Array): { read: number; written: number } };

/** From so many units on the encoder is faster than the loop, for plain text by far. */
const longText = 1_000;
/** Of the globals that every place of this code has, and its types leave out. */
const { TextEncoder } = globalThis as unknown as { TextEncoder: new () => Encoder };
const encoder = new TextEncoder();
const room = new Uint8Array(65_536);

/** Bytes of a text as UTF-8; a lone surrogate counts as the three bytes that replace it. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  if (text.length >= longText) {
    for (let at = 0; at < text.length; ) {
      const { read, written } = encoder.encodeInto(text.slice(at), room);
      bytes += written;
      at += read;
    }
    return bytes;
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(text, at)) {
      bytes += 4;
      at++;
    } else bytes += 3;
  }
  return bytes;
}

/** Bytes of a value's JSON; 0 for what JSON leaves out. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? "");
}

/** Whether the texts in a value take more bytes than that; looks no further than it has to. */
export function isLongerThan(value: unknown, mostBytes: number): boolean {
  let left = mostBytes;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") left -= next.length > left ? next.length : utf8Bytes(next);
    else if (typeof next === "object" && next !== null)
      for (const [name, member] of Object.entries(next)) {
        left -= name.length + 1;
        if (left < 0) return true;
        waiting.push(member);
      }
    if (left < 0) return true;
  }
  return false;
}

/** Of a long text so many units are counted at once, by the same means as a whole value; the rest one by one. */
const unitsAtOnce = 8_192;

/** How much of a text fits into so many bytes of JSON: an index that parts no pair. `from` is where to begin. */
export function endOfFit(text: string, mostBytes: number, from = 0): number {
  let bytes = 0;
  let at = from;
  for (let next = at + unitsAtOnce; next < text.length; next = at + unitsAtOnce) {
    if (isPair(text, next - 1)) next -= 1;
    const more = jsonBytesOfPiece(text, at, next);
    if (bytes + more > mostBytes) break;
    bytes += more;
    at = next;
  }
  while (at < text.length) {
    const units = isPair(text, at) ? 2 : 1;
    bytes += units === 2 ? 4 : jsonBytesOfUnit(text.charCodeAt(at));
    if (bytes > mostBytes) return at;
    at += units;
  }
  return text.length;
}

/** Where a text's last `mostBytes` of JSON begin. */
export function startOfFit(text: string, mostBytes: number): number {
  let bytes = 0;
  let at = text.length;
  for (let next = at - unitsAtOnce; next > 0; next = at - unitsAtOnce) {
    if (isPair(text, next - 1)) next += 1;
    const more = jsonBytesOfPiece(text, next, at);
    if (bytes + more > mostBytes) break;
    bytes += more;
    at = next;
  }
  while (at > 0) {
    const units = at > 1 && isPair(text, at - 2) ? 2 : 1;
    bytes += units === 2 ? 4 : jsonBytesOfUnit(text.charCodeAt(at - 1));
    if (bytes > mostBytes) return at;
    at -= units;
  }
  return 0;
}

/** Without the marks around it. */
function jsonBytesOfPiece(text: string, from: number, until: number): number {
  return jsonBytes(text.slice(from, until)) - 2;
}

const shortEscapes = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** Asked of each character of a long text: what most of them are comes first. */
function jsonBytesOfUnit(unit: number): number {
  if (unit >= 0x20 && unit < 0x80) return unit === 0x22 || unit === 0x5c ? 2 : 1;
  if (unit < 0x20) return shortEscapes.has(unit) ? 2 : 6;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 6 : 3;
}

function isPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= text.length) return false;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}
