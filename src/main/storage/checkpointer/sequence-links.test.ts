/** A list of numbers survives being linked, and a list that only grows costs little each time. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { runsOf } from "../../base/testing/long-run.ts";
import { LiveContent } from "./live-content.ts";
import { linkSequence, resolveSequence } from "./sequence-links.ts";

function nodeStore() {
  const texts: string[] = [];
  return {
    texts,
    intern(text: string): number {
      const known = texts.indexOf(text);
      return known >= 0 ? known + 1 : texts.push(text);
    },
    read: (seq: number) => texts[seq - 1]!,
  };
}

function expand(runs: readonly number[]): number[] {
  const seqs: number[] = [];
  for (let i = 0; i < runs.length; i += 2) for (let k = 0; k < runs[i + 1]!; k += 1) seqs.push(runs[i]! + k);
  return seqs;
}

const seqs = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 600 }),
  fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 4000, maxLength: 9000 }),
);

test("resolving gives back what was linked, and marking finds all of it and no more", () => {
  fc.assert(
    fc.property(seqs, (list) => {
      const store = nodeStore();
      const links = linkSequence(list, store.intern);
      expect(expand(resolveSequence(links, store.read))).toEqual(list);
      const live = new LiveContent(store.read);
      live.mark(JSON.stringify({ "~": ["s", links] }));
      const marked = live.messageSpans().flatMap(([first, last]) => expand([first, last - first + 1]));
      expect(marked).toEqual([...new Set(list)].sort((a, b) => a - b));
      const nodes = live.valueSpans().flatMap(([first, last]) => expand([first, last - first + 1]));
      expect(nodes).toEqual(store.texts.map((_, index) => index + 1));
    }),
    { numRuns: runsOf(60) },
  );
});

test("what is written for one more entry does not depend on how many there are", () => {
  const store = nodeStore();
  const list: number[] = [];
  let longest = 0;
  for (let i = 0; i < 6000; i += 1) {
    list.push(i * 2 + 1);
    if (i % 7 === 0) longest = Math.max(longest, JSON.stringify(linkSequence(list, store.intern)).length);
  }
  expect(longest).toBeLessThan(3000);
  expect(store.texts.join("").length).toBeLessThan(6000 * 16);
});
