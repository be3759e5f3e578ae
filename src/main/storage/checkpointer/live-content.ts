/** Follows the links of rows, to tell the content that is still in use from what can go. */
import type { SequenceLinks } from "./sequence-links.ts";
import { type Link, linkKey } from "./value-encoder.ts";

/** First and last number of content without a gap. */
export type Span = readonly [first: number, last: number];

/**
 * Collects every message and value that the texts given to it reach. The lists of a long history overlap
 * almost wholly, so runs are kept as runs and each shared node is opened once.
 */
export class LiveContent {
  /** The last number of the longest run from each first number. */
  readonly #runs = new Map<number, number>();
  readonly #values = new Set<number>();
  readonly #openedNodes = new Set<string>();
  readonly #readValue: (seq: number) => string;

  /** @param readValue returns a stored value's text */
  constructor(readValue: (seq: number) => string) {
    this.#readValue = readValue;
  }

  /** Marks all that an encoded text with links reaches. */
  mark(text: string): void {
    this.#visit(JSON.parse(text));
  }

  /** The marked messages, in order and without overlap. */
  messageSpans(): Span[] {
    return mergeSpans([...this.#runs]);
  }

  /** The marked values, in order and without overlap. */
  valueSpans(): Span[] {
    return mergeSpans([...this.#values].map((seq) => [seq, seq]));
  }

  #visit(node: unknown): void {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      for (const item of node) this.#visit(item);
    } else if ("lc" in node) {
      return; // Serialised objects never contain links.
    } else if (linkKey in node) {
      this.#follow(node[linkKey] as Link);
    } else {
      for (const item of Object.values(node)) this.#visit(item);
    }
  }

  #follow(link: Link): void {
    switch (link[0]) {
      case "m":
        this.#addRuns([link[1], 1]);
        return;
      case "s":
        this.#followSequence(link[1]);
        return;
      case "v":
        if (this.#values.has(link[1])) return;
        this.#values.add(link[1]);
        this.mark(this.#readValue(link[1]));
        return;
      case "o":
        for (const item of Object.values(link[1])) this.#visit(item);
        return;
      case "d":
        this.#visit(link[1]);
    }
  }

  #followSequence(links: SequenceLinks): void {
    links.forEach((row, level) => {
      if (level === 0) this.#addRuns(row);
      else for (const node of row) this.#openNode(node, level);
    });
  }

  #openNode(seq: number, level: number): void {
    // The same text may stand for a node of another level, where it means something else.
    const key = `${level}:${seq}`;
    if (this.#openedNodes.has(key)) return;
    this.#openedNodes.add(key);
    this.#values.add(seq);
    const row = JSON.parse(this.#readValue(seq)) as number[];
    if (level === 1) this.#addRuns(row);
    else for (const node of row) this.#openNode(node, level - 1);
  }

  #addRuns(runs: readonly number[]): void {
    for (let i = 0; i < runs.length; i += 2) {
      const last = runs[i]! + runs[i + 1]! - 1;
      if (last > (this.#runs.get(runs[i]!) ?? 0)) this.#runs.set(runs[i]!, last);
    }
  }
}

function mergeSpans(spans: Span[]): Span[] {
  const merged: [first: number, last: number][] = [];
  for (const [first, last] of spans.sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
