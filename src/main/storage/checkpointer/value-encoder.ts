/**
 * Turns checkpoint values into JSON text in which messages and large parts are links to content stored once.
 * Without links the text is byte for byte what the stock serialiser writes.
 */
import { BaseMessage } from "@langchain/core/messages";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { isMessageRecord } from "./message-records.ts";
import { linkSequence, type SequenceLinks } from "./sequence-links.ts";

/** The one key of a link object; user objects that happen to have it are wrapped. */
export const linkKey = "~";

/**
 * A link: one message, a sequence of messages, a value stored apart, a delta snapshot, or an object of the
 * user that has the link key itself.
 */
export type Link = ["m", number] | ["s", SequenceLinks] | ["v", number] | ["d", unknown] | ["o", object];

/** Where the encoder puts what it finds. */
export type ContentSink = {
  /** Stores a message (or its serialised record) and returns its number. */
  internMessage(message: object): number;
  /** @returns the number of a message that is stored and, as far as a glance tells, unchanged. Takes any value. */
  recallMessage(value: unknown): number | undefined;
  /** Stores a text and returns its number. */
  internValue(text: string): number;
};

/** The value cannot be written as JSON by this encoder (a cycle, a bigint); the stock serialiser has the last word. */
export class UnencodableValueError extends Error {
  override name = "UnencodableValueError";
}

/** A part of this many characters or more is stored apart, once, instead of in every checkpoint that has it. */
const storeApartFrom = 1024;
/** So many messages at the end of a list are compared in full: that is where code still edits them in place. */
const newestMessages = 4;
const linkLength = 16;
const maxDepth = 400;

/** Encodes as the stock serialiser does: no links. */
export function encodePlain(value: unknown): string {
  return stringify(new ValueEncoder(undefined).walk(value));
}

/** Encodes a value, or the parts of one: walk each part, join the results, then stringify. */
export class ValueEncoder {
  /** Whether the walked values contain links, so that they need the sink's content to be read. */
  linked = false;
  readonly #sink: ContentSink | undefined;
  readonly #draftsInline: boolean;
  #length = 0;
  #depth = 0;

  /**
   * @param draftsInline write a few messages that have no id yet where they stand: the state reducer is about
   * to give them one, and what is stored for good is the message with its id
   */
  constructor(sink: ContentSink | undefined, draftsInline = false) {
    this.#sink = sink;
    this.#draftsInline = draftsInline;
  }

  /**
   * @returns a tree that `JSON.stringify` writes as it is.
   * @throws UnencodableValueError on a cycle
   */
  walk(input: unknown): unknown {
    const value = this.#sink === undefined ? applyToJson(input) : input;
    switch (typeof value) {
      case "string":
        return this.#storeApart(value, value.length);
      case "object":
        if (value === null) return this.#count(value, 4);
        return this.#walkObject(value);
      case "undefined":
        return this.#count({ lc: 2, type: "undefined" }, 27);
      default:
        return this.#count(value, 8);
    }
  }

  #walkObject(input: object): unknown {
    if (this.#depth >= maxDepth)
      throw new UnencodableValueError("The value is circular or nested too deeply.");
    this.#depth += 1;
    const before = this.#length;
    const node = this.#sink === undefined ? this.#walkPlain(input) : this.#walkLinking(input, this.#sink);
    this.#depth -= 1;
    const length = this.#length - before;
    this.#length = before;
    return this.#storeApart(node, length);
  }

  #walkLinking(input: object, sink: ContentSink): unknown {
    if (Array.isArray(input)) {
      const few = input.length < 2 || (this.#draftsInline && input.length <= newestMessages);
      return (few ? undefined : this.#linkMessages(input, sink)) ?? this.#walkArray(input);
    }
    if (isMessage(input)) {
      if (this.#draftsInline && (input as { id?: unknown }).id === undefined)
        return new ValueEncoder(undefined).walk(input);
      return this.#link(["m", sink.internMessage(input)], linkLength);
    }
    const value = applyToJson(input);
    if (typeof value !== "object" || value === null) return this.walk(value);
    if (value instanceof DeltaSnapshot) return this.#link(["d", this.walk(value.value)], linkLength);
    const record = toStockRecord(value);
    if ("lc" in record) return this.#walkApart(record);
    const fields = this.#walkFields(record);
    return linkKey in record ? this.#link(["o", fields], linkLength) : fields;
  }

  /** Serialised objects are read back whole by the stock reviver, so no link may stand inside. */
  #walkApart(record: object): unknown {
    const plain = new ValueEncoder(undefined);
    plain.#depth = this.#depth;
    const node = plain.walk(record);
    return this.#count(node, JSON.stringify(node)?.length ?? 0);
  }

  #walkPlain(input: object): unknown {
    if (Array.isArray(input)) return this.#walkArray(input);
    return this.#walkFields(toStockRecord(input));
  }

  #walkArray(input: readonly unknown[]): unknown[] {
    this.#length += input.length + 1;
    return Array.from(input, (item) => this.walk(item));
  }

  #walkFields(input: object): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (const key of Object.keys(input)) {
      this.#length += key.length + 4;
      const node = this.walk((input as Record<string, unknown>)[key]);
      if (key === "__proto__") Object.defineProperty(fields, key, { value: node, enumerable: true });
      else fields[key] = node;
    }
    return fields;
  }

  /** @returns undefined if the list holds anything but messages. */
  #linkMessages(list: readonly unknown[], sink: ContentSink): unknown {
    const newest = list.length - newestMessages;
    const seqs: number[] = [];
    for (let i = 0; i < list.length; i += 1) {
      const item = list[i];
      const seq = i < newest ? sink.recallMessage(item) : undefined;
      if (seq === undefined && !isMessage(item)) return undefined;
      seqs.push(seq ?? sink.internMessage(item as object));
    }
    return this.#link(["s", linkSequence(seqs, (text) => sink.internValue(text))], linkLength);
  }

  #storeApart(node: unknown, length: number): unknown {
    if (this.#sink === undefined || length < storeApartFrom) return this.#count(node, length);
    return this.#link(["v", this.#sink.internValue(stringify(node))], linkLength);
  }

  #link(link: Link, length: number): unknown {
    this.linked = true;
    return this.#count({ [linkKey]: link }, length);
  }

  #count<Node>(node: Node, length: number): Node {
    this.#length += length;
    return node;
  }
}

/**
 * `JSON.stringify` for a walked tree.
 * @throws UnencodableValueError if JSON has no form for it (a bigint)
 */
export function stringify(node: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(node);
  } catch (cause) {
    throw new UnencodableValueError("The value has no JSON form.", { cause });
  }
  if (text === undefined) throw new UnencodableValueError("A function or symbol has no JSON form.");
  return text;
}

function isMessage(value: unknown): boolean {
  return BaseMessage.isInstance(value) || isMessageRecord(value);
}

function applyToJson(value: unknown): unknown {
  const hasToJson = typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === "function";
  return hasToJson ? (value as { toJSON(): unknown }).toJSON() : value;
}

/** The stock serialiser's records for values that JSON has no form for; everything else is returned as it is. */
function toStockRecord(value: object): object {
  if (value instanceof DeltaSnapshot) return { lc: 2, type: "delta_snapshot", value: value.value };
  if (value instanceof Set || value instanceof Map)
    return constructorRecord(value.constructor.name, null, [[...value]]);
  if (value instanceof RegExp) return constructorRecord("RegExp", null, [value.source, value.flags]);
  if (value instanceof Error) return constructorRecord("Error", null, [value.message]);
  if (value instanceof Uint8Array) return constructorRecord("Uint8Array", "from", [[...value]]);
  const send = value as { lg_name?: unknown; node?: unknown; args?: unknown; timeout?: unknown };
  if (send.lg_name !== "Send") return value;
  const { node, args, timeout } = send;
  return timeout === undefined ? { node, args } : { node, args, timeout };
}

function constructorRecord(name: string, method: string | null, args: unknown[]): object {
  return { lc: 2, type: "constructor", id: [name], method, args, kwargs: {} };
}
