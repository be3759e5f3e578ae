/**
 * Draws what runs with its words in the order in which they run. A browser turns words of Hebrew or Arabic that stand
 * beside each other, so that `cp a b` would read as `cp b a`; here each of them stands by itself, from left to right.
 */
import { Fragment } from "react";

// Hebrew to Arabic Extended, their forms for print, and the planes that Unicode keeps for such scripts.
const rightToLeft = /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)/u;

/** Whether it has words that are written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

export function InOrder({ text }: { text: string }) {
  return text.split(rightToLeft).map(
    (part, index) =>
      // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text have no other identity than their place
      index % 2 === 1 ? <bdi key={index}>{part}</bdi> : <Fragment key={index}>{part}</Fragment>,
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
  );
}
