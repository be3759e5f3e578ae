/** Reads checkpoint values back: the same objects as the stock deserialiser gives, without its cost per message. */
import type { BaseMessage } from "@langchain/core/messages";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { isMessageRecord, reviveMessageRecord } from "./message-records.ts";
import { resolveSequence, type SequenceLinks } from "./sequence-links.ts";
import { type Link, linkKey } from "./value-encoder.ts";

/** Where the linked content of one thread is read from. */
export type ContentSource = {
  /** @param runs `from, count, from, count, …` */
  readMessages(runs: readonly number[], visit: (seq: number, text: string) => void): void;
  readValue(seq: number): string;
  /** Told of each message object given out, with the number it is stored under. */
  onMessage(message: BaseMessage, seq: number): void;
};

type Slots = Record<string | number, unknown>;
type StockLoad = (text: string) => Promise<unknown>;

/**
 * Revives the values of one checkpoint. A message that occurs several times in them becomes one object, as it
 * was in the run that wrote them; two revivers never share an object.
 */
export class ValueReviver {
  readonly #source: ContentSource;
  readonly #stockLoad: StockLoad;
  readonly #messages = new Map<number, BaseMessage>();
  /** Places that wait for the stock loader, which is asynchronous. */
  readonly #waiting: Promise<void>[] = [];
  readonly #slowMessages = new Map<number, Promise<BaseMessage>>();

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
    if (this.#waiting.length > 0) await Promise.all(this.#waiting.splice(0));
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
        this.#loadMessages([link[1], 1]);
        this.#placeMessage(slots, key, link[1]);
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
    this.#loadMessages(runs);
    const messages: unknown[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const first = runs[i]!;
      for (let seq = first; seq < first + runs[i + 1]!; seq += 1) {
        this.#placeMessage(messages as unknown as Slots, messages.length, seq);
      }
    }
    return messages;
  }

  #placeMessage(slots: Slots, key: string | number, seq: number): void {
    const message = this.#messages.get(seq);
    slots[key] = message;
    if (message !== undefined) return;
    const placing = this.#slowMessages.get(seq)!.then((loaded) => {
      slots[key] = loaded;
    });
    this.#waiting.push(placing);
  }

  #loadMessages(runs: readonly number[]): void {
    const missing: number[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      if (!this.#isLoaded(runs[i]!, runs[i + 1]!)) missing.push(runs[i]!, runs[i + 1]!);
    }
    if (missing.length === 0) return;
    this.#source.readMessages(missing, (seq, text) => {
      if (!this.#isLoaded(seq, 1)) this.#loadMessage(seq, text);
    });
  }

  #isLoaded(from: number, count: number): boolean {
    for (let seq = from; seq < from + count; seq += 1) {
      if (!this.#messages.has(seq) && !this.#slowMessages.has(seq)) return false;
    }
    return true;
  }

  #loadMessage(seq: number, text: string): void {
    const record: unknown = JSON.parse(text);
    const message = isMessageRecord(record) ? reviveMessageRecord(record) : undefined;
    if (message !== undefined) {
      this.#messages.set(seq, message);
      this.#source.onMessage(message, seq);
      return;
    }
    const loading = this.#stockLoad(text).then((value) => {
      const loaded = value as BaseMessage;
      this.#source.onMessage(loaded, seq);
      return loaded;
    });
    this.#slowMessages.set(seq, loading);
  }
}
