/** The beginning of a list of names that others chose, for a text or a card that names only some of them. */
import { utf8Bytes } from "../../shared/wire/json-bytes.ts";

/** Of a list on a card or in a notice. */
const mostNames = 8;
const mostBytes = 1_000;

/** Whole names only: one that is cut may be the name of something else. */
export function firstThatFit(names: readonly string[]): string[] {
  const fitting: string[] = [];
  let left = mostBytes;
  for (const name of names.slice(0, mostNames)) {
    left -= utf8Bytes(name);
    if (left < 0) break;
    fitting.push(name);
  }
  return fitting;
}
