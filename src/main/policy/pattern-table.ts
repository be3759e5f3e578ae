/** Which names of a table of patterns a shell's pattern could match, for all of them in one walk. */
import type { NamePattern } from "./name-pattern.ts";
import { createPatternTree, type PatternTree, runToken } from "./pattern-tree.ts";

/** What a pattern has in common with a table: names of patterns that end in a run of any characters only, or others. */
export type Common = "none" | "openEnded" | "some";

/** Longer ones are not compared: no file has a name of so many parts, and a judgement has to end soon. */
const mostTokens = 512;

const wordBits = 32;

/** A set of positions in a pattern, a bit each. */
type Positions = Uint32Array;

/** Of a pattern: which positions are runs, and which let a character through. */
type Masks = { runs: Positions; anyOne: Positions; byChar: Map<string, Positions> };

/**
 * @param patterns with characters and runs only, as `readTablePattern` makes them; asked for with the first comparison,
 *   since most threads that know the table never compare
 * @returns what a pattern has in common with the table; `hidden` says whether names that begin with a dot count. A pattern
 *   of more than 512 tokens counts as `some`.
 */
export function createPatternTable(
  patterns: () => readonly NamePattern[],
): (pattern: NamePattern, hidden: boolean) => Common {
  let tree: PatternTree | undefined;
  return (pattern, hidden) => {
    const tokens = pattern.filter(({ kind }, at) => kind !== "run" || pattern[at - 1]?.kind !== "run");
    if (tokens.length > mostTokens) return "some";
    tree ??= createPatternTree(patterns());
    return compare(tree, tokens, hidden);
  };
}

/** At each node stands the set of positions that the pattern can be at; where it is empty, nothing below is common. */
function compare(tree: PatternTree, tokens: NamePattern, hidden: boolean): Common {
  const words = Math.floor(tokens.length / wordBits) + 1;
  const masks = readMasks(tokens, words);
  const through = tree.chars.map((char) => masks.byChar.get(char));
  const dot = hidden ? -1 : tree.chars.indexOf(".");
  const levels = Array.from({ length: tree.depth + 1 }, () => new Uint32Array(words));
  let isOpenEnded = false;
  /** @returns whether a name of a pattern was found that does not end in a run, after which nothing more is to be known */
  const findFixed = (node: number, level: number): boolean => {
    const at = levels[level]!;
    if (tree.isEnd[node] === 1 && has(at, tokens.length)) {
      if (node === 0 || tree.token[node] !== runToken) return true;
      isOpenEnded = true;
    }
    for (let child = tree.firstChild[node]!; child !== 0; child = tree.nextSibling[child]!) {
      const token = tree.token[child]!;
      if (level === 0 && token === dot) continue;
      const to = levels[level + 1]!;
      // A run of the table takes the place of any part of the pattern, so that each later position can follow.
      if (token === runToken) fillFromLowest(at, to);
      else if (!stepOver(through[token], masks, at, to)) continue;
      if (findFixed(child, level + 1)) return true;
    }
    return false;
  };
  levels[0]![0] = 1;
  skipRuns(masks, levels[0]!);
  if (findFixed(0, 0)) return "some";
  return isOpenEnded ? "openEnded" : "none";
}

function readMasks(tokens: NamePattern, words: number): Masks {
  const newSet = (): Positions => new Uint32Array(words);
  const masks: Masks = { runs: newSet(), anyOne: newSet(), byChar: new Map() };
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "run") add(masks.runs, at);
    else if (token.kind === "any") add(masks.anyOne, at);
    else {
      const set = masks.byChar.get(token.char) ?? newSet();
      masks.byChar.set(token.char, set);
      add(set, at);
    }
  }
  return masks;
}

function add(set: Positions, at: number): void {
  set[Math.floor(at / wordBits)]! |= 1 << (at % wordBits);
}

function has(set: Positions, at: number): boolean {
  return ((set[Math.floor(at / wordBits)]! >>> (at % wordBits)) & 1) === 1;
}

/** Where the pattern can be after one more character. @param same where it has this one @returns whether anywhere */
function stepOver(
  same: Positions | undefined,
  { runs, anyOne }: Masks,
  from: Positions,
  to: Positions,
): boolean {
  let carry = 0;
  let all = 0;
  for (let word = 0; word < from.length; word += 1) {
    const through = from[word]! & (anyOne[word]! | (same?.[word] ?? 0));
    const next = (through << 1) | carry | (from[word]! & runs[word]!);
    carry = through >>> (wordBits - 1);
    to[word] = next;
    all |= next;
  }
  if (all === 0) return false;
  skipRuns({ runs }, to);
  return true;
}

/** A run may stand for nothing. Two of them never stand beside each other here. */
function skipRuns({ runs }: Pick<Masks, "runs">, set: Positions): void {
  let carry = 0;
  for (let word = 0; word < set.length; word += 1) {
    const skipped = set[word]! & runs[word]!;
    set[word] = set[word]! | (skipped << 1) | carry;
    carry = skipped >>> (wordBits - 1);
  }
}

/** Every position from the lowest of a set that is not empty. */
function fillFromLowest(from: Positions, to: Positions): void {
  let isReached = false;
  for (let word = 0; word < from.length; word += 1) {
    const lowest = from[word]! & -from[word]!;
    to[word] = isReached ? -1 : -lowest;
    isReached ||= lowest !== 0;
  }
}
