/** Reads checkpoint values back: the same objects as the stock deserialiser gives, without its cost per message. */
import type { BaseMessage } from "@langchain/core/messages";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { giveWay } from "../../base/give-way.ts";
import { type PackedText, unpackText } from "../packed-text.ts";
import { isMessageRecord, reviveMessageRecord } from "./message-records.ts";
import { resolveSequence, type SequenceLinks } from "./sequence-links.ts";
import { type Link, linkKey } from "./value-encoder.ts";

/** Where the linked content of one thread is read from. */
export type ContentSource = {
  /** @param runs `from, count, from, count, …` */
  readMessages(runs: readonly number[], visit: (seq: number, text: PackedText) => void): void;
  readValue(seq: number): string;
  /** Told of each message object given out, with the number it is stored under. */
  onMessage(message: BaseMessage, seq: number): void;
};

type Slots = Record<string | number, unknown>;
type Place = { readonly slots: Slots; readonly key: string | number; readonly seq: number };
type StockLoad = (text: string) => Promise<unknown>;

/** So many messages are unpacked and made in one to two milliseconds. */
const messagesAtOnce = 32;

/**
 * Revives the values of one checkpoint. A message that occurs several times in them becomes one object, as it
 * was in the run that wrote them; two revivers never share an object. All that the database has is read before the
 * first await; a long history's messages are made from it a few at a time, with other work in between.
 */
export class ValueReviver {
  readonly #source: ContentSource;
  readonly #stockLoad: StockLoad;
  /** What was read of messages that are not made yet. */
  readonly #texts = new Map<number, PackedText>();
  readonly #messages = new Map<number, BaseMessage | Promise<BaseMessage>>();
  /** Where messages stand, in the order they were met. */
  readonly #places: Place[] = [];
  /** Places that wait for the stock loader, which is asynchronous. */
  readonly #waiting: Promise<void>[] = [];

  /** @param stockLoad revives a JSON text the stock way */
  constructor(source: ContentSource, stockLoad: StockLoad) {
    this.#source = source;
    this.#stockLoad = stockLoad;
  }

  /**
   * Revives one encoded value.
   * @param linked whether the text may contain links
   * @throws MissingContentError if a link leads nowhere
   */
  async revive(text: string, linked: boolean): Promise<unknown> {
    const holder: { value: unknown } = { value: JSON.parse(text) };
    this.#reviveSlot(holder, "value", linked);
    const waiting = this.#waiting.splice(0);
    const slow = await this.#placeMessages(this.#places.splice(0));
    await Promise.all([...waiting, ...slow]);
    return holder.value;
  }

  #reviveSlot(slots: Slots, key: string | number, linked: boolean): void {
    const value = slots[key];
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i += 1) this.#reviveSlot(value as unknown as Slots, i, linked);
    } else if ("lc" in value) {
      this.#reviveRecord(slots, key, value);
    } else if (linked && linkKey in value) {
      this.#followLink(slots, key, value[linkKey] as Link);
    } else {
      this.#reviveFields(slots, key, value as Slots, linked);
    }
  }

  #reviveFields(slots: Slots, key: string | number, fields: Slots, linked: boolean): void {
    for (const field of Object.keys(fields)) {
      if (field === "__proto__") {
        // The stock loader drops it, but a value beside it may be a link, so this is not left to the loader.
        const { ["__proto__"]: _dropped, ...kept } = fields;
        slots[key] = kept;
        this.#reviveFields(slots, key, kept, linked);
        return;
      }
      this.#reviveSlot(fields, field, linked);
    }
  }

  #reviveRecord(slots: Slots, key: string | number, record: object): void {
    const { lc, type } = record as { lc: unknown; type?: unknown };
    if (lc === 2 && type === "undefined") {
      slots[key] = undefined;
      return;
    }
    const message = isMessageRecord(record) ? reviveMessageRecord(record) : undefined;
    if (message !== undefined) {
      slots[key] = message;
      return;
    }
    this.#waiting.push(
      this.#stockLoad(JSON.stringify(record)).then((value) => {
        slots[key] = value;
      }),
    );
  }

  #followLink(slots: Slots, key: string | number, link: Link): void {
    switch (link[0]) {
      case "m":
        this.#readMessages([link[1], 1]);
        this.#places.push({ slots, key, seq: link[1] });
        return;
      case "s":
        slots[key] = this.#reviveSequence(link[1]);
        return;
      case "v":
        slots[key] = JSON.parse(this.#source.readValue(link[1]));
        this.#reviveSlot(slots, key, true);
        return;
      case "o":
        slots[key] = link[1];
        this.#reviveFields(slots, key, link[1] as Slots, true);
        return;
      case "d":
        this.#reviveSnapshot(slots, key, link[1]);
    }
  }

  #reviveSnapshot(slots: Slots, key: string | number, value: unknown): void {
    const snapshot = new DeltaSnapshot(value);
    slots[key] = snapshot;
    this.#reviveSlot(snapshot as unknown as Slots, "value", true);
  }

  #reviveSequence(links: SequenceLinks): unknown[] {
    const runs = resolveSequence(links, (seq) => this.#source.readValue(seq));
    this.#readMessages(runs);
    const messages: unknown[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const first = runs[i]!;
      for (let seq = first; seq < first + runs[i + 1]!; seq += 1) {
        this.#places.push({ slots: messages as unknown as Slots, key: messages.length, seq });
        messages.push(undefined);
      }
    }
    return messages;
  }

  #readMessages(runs: readonly number[]): void {
    const missing: number[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      if (!this.#isRead(runs[i]!, runs[i + 1]!)) missing.push(runs[i]!, runs[i + 1]!);
    }
    if (missing.length === 0) return;
    this.#source.readMessages(missing, (seq, text) => {
      if (!this.#messages.has(seq)) this.#texts.set(seq, text);
    });
  }

  #isRead(from: number, count: number): boolean {
    for (let seq = from; seq < from + count; seq += 1) {
      if (!this.#messages.has(seq) && !this.#texts.has(seq)) return false;
    }
    return true;
  }

  /** @returns the places that wait for the stock loader */
  async #placeMessages(places: readonly Place[]): Promise<Promise<void>[]> {
    const slow: Promise<void>[] = [];
    for (const [at, { slots, key, seq }] of places.entries()) {
      if (at % messagesAtOnce === messagesAtOnce - 1) await giveWay();
      const message = this.#messageOf(seq);
      slots[key] = message;
      if (!(message instanceof Promise)) continue;
      const placing = message.then((loaded) => {
        slots[key] = loaded;
      });
      slow.push(placing);
    }
    return slow;
  }

  #messageOf(seq: number): BaseMessage | Promise<BaseMessage> {
    const known = this.#messages.get(seq);
    if (known !== undefined) return known;
    const text = this.#texts.get(seq)!;
    this.#texts.delete(seq);
    const made = this.#make(seq, unpackText(text));
    this.#messages.set(seq, made);
    return made;
  }

  #make(seq: number, text: string): BaseMessage | Promise<BaseMessage> {
    const record: unknown = JSON.parse(text);
    const message = isMessageRecord(record) ? reviveMessageRecord(record) : undefined;
    if (message !== undefined) {
      this.#source.onMessage(message, seq);
      return message;
    }
    return this.#stockLoad(text).then((value) => {
      const loaded = value as BaseMessage;
      this.#source.onMessage(loaded, seq);
      return loaded;
    });
  }
}
