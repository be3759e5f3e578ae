/** Reads MessagePack as LangGraph's checkpoints in Python hold it: values alone, nothing of it is ever called or built. */

/** What stood for an object of Python: its class and what it was made of. */
export type PythonObject = { class: string; of: unknown };

export class MessagePackError extends Error {
  override name = "MessagePackError";
}

/** Deeper than any conversation, and reading it takes a stack that has an end. */
const deepest = 100;
/** Each takes memory many times its byte. */
const mostValues = 2_000_000;

/** @throws MessagePackError where it ends early, is nested too deep, or holds more than anybody reads */
export function readMessagePack(bytes: Uint8Array): unknown {
  return new Reader(bytes, { values: 0 }).whole(0);
}

/** Whether a value that was read stood for an object of Python. */
export function isPythonObject(value: unknown): value is PythonObject {
  return value instanceof Made;
}

/** No map that was read can pass for one. */
class Made implements PythonObject {
  readonly class: string;
  readonly of: unknown;
  constructor(name: string, of: unknown) {
    this.class = name;
    this.of = of;
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #count: { values: number };
  #at = 0;

  constructor(bytes: Uint8Array, count: { values: number }) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#count = count;
  }

  whole(depth: number): unknown {
    const value = this.#value(depth);
    if (this.#at !== this.#bytes.length) throw new MessagePackError("There is more behind its end.");
    return value;
  }

  #value(depth: number): unknown {
    if (depth > deepest) throw new MessagePackError("It is nested too deep.");
    this.#count.values += 1;
    if (this.#count.values > mostValues) throw new MessagePackError("It holds too many values.");
    const tag = this.#size(1);
    if (tag < 0x80) return tag;
    if (tag < 0x90) return this.#map(tag & 0x0f, depth);
    if (tag < 0xa0) return this.#list(tag & 0x0f, depth);
    if (tag < 0xc0) return this.#text(tag & 0x1f);
    if (tag >= 0xe0) return tag - 0x100;
    return this.#tagged(tag, depth);
  }

  #tagged(tag: number, depth: number): unknown {
    if (tag === 0xc0) return null;
    if (tag === 0xc2 || tag === 0xc3) return tag === 0xc3;
    if (tag >= 0xc4 && tag <= 0xc6) return this.#take(this.#size(2 ** (tag - 0xc4)));
    if (tag >= 0xc7 && tag <= 0xc9) return this.#object(this.#size(2 ** (tag - 0xc7)), depth);
    if (tag === 0xca || tag === 0xcb) return this.#float(tag === 0xca ? 4 : 8);
    if (tag >= 0xcc && tag <= 0xcf) return this.#size(2 ** (tag - 0xcc));
    if (tag >= 0xd0 && tag <= 0xd3) return this.#signed(2 ** (tag - 0xd0));
    if (tag >= 0xd4 && tag <= 0xd8) return this.#object(2 ** (tag - 0xd4), depth);
    if (tag >= 0xd9 && tag <= 0xdb) return this.#text(this.#size(2 ** (tag - 0xd9)));
    if (tag === 0xdc || tag === 0xdd) return this.#list(this.#size(tag === 0xdc ? 2 : 4), depth);
    if (tag === 0xde || tag === 0xdf) return this.#map(this.#size(tag === 0xde ? 2 : 4), depth);
    throw new MessagePackError(`It holds a byte that means nothing (${tag}).`);
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new MessagePackError("It ends too early.");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** A number without a sign, of so many bytes. */
  #size(bytes: number): number {
    return this.#take(bytes).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  #signed(bytes: number): number {
    const at = this.#at;
    this.#take(bytes);
    if (bytes === 8) return Number(this.#view.getBigInt64(at));
    return bytes === 4
      ? this.#view.getInt32(at)
      : bytes === 2
        ? this.#view.getInt16(at)
        : this.#view.getInt8(at);
  }

  #float(bytes: number): number {
    const at = this.#at;
    this.#take(bytes);
    return bytes === 4 ? this.#view.getFloat32(at) : this.#view.getFloat64(at);
  }

  #text(length: number): string {
    return new TextDecoder().decode(this.#take(length));
  }

  #list(length: number, depth: number): unknown[] {
    const list: unknown[] = [];
    for (let index = 0; index < length; index += 1) list.push(this.#value(depth + 1));
    return list;
  }

  #map(length: number, depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (let index = 0; index < length; index += 1)
      entries.push([String(this.#value(depth + 1)), this.#value(depth + 1)]);
    return Object.fromEntries(entries);
  }

  /** Of an object of Python its module, class and members; of anything else that is no value nothing. */
  #object(length: number, depth: number): unknown {
    const kind = this.#size(1);
    const inner = new Reader(this.#take(length), this.#count);
    // 0 to 5 are objects by their class, 7 the messages of a thread as they stood at one step.
    if (kind === 7) return inner.whole(depth + 1);
    if (kind > 5) return null;
    const made = inner.whole(depth + 1);
    return Array.isArray(made) ? new Made(String(made[1]), made[2]) : null;
  }
}
