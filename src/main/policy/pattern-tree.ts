/** The patterns of a table as a tree of their tokens, so that what many begin with is stored and compared once. */
import type { NamePattern } from "./name-pattern.ts";

/** The token of a node that stands for a run; of any other it is the place of its character in `chars`. */
export const runToken = 0;

/**
 * Nodes are numbers, the root 0, and what is known of one stands in arrays: tens of thousands of nodes as objects with a
 * map each held six megabytes in every thread that judges.
 */
export type PatternTree = {
  /** Each character of the patterns once, from 1 on. */
  chars: readonly string[];
  /** Of each node. */
  token: Uint16Array;
  /** The first node below a node, and the next one beside it; 0 when there is none. */
  firstChild: Uint32Array;
  nextSibling: Uint32Array;
  /** 1 where a pattern ends. */
  isEnd: Uint8Array;
  /** How many tokens the longest pattern has. */
  depth: number;
};

/** @param patterns with characters and runs only */
export function createPatternTree(patterns: readonly NamePattern[]): PatternTree {
  const most = patterns.reduce((sum, pattern) => sum + pattern.length, 1);
  const tokens = new Map<string, number>();
  const token = new Uint16Array(most);
  const firstChild = new Uint32Array(most);
  const nextSibling = new Uint32Array(most);
  const isEnd = new Uint8Array(most);
  let count = 1;
  let depth = 0;
  const childOf = (node: number, wanted: number): number => {
    for (let child = firstChild[node]!; child !== 0; child = nextSibling[child]!)
      if (token[child] === wanted) return child;
    token[count] = wanted;
    nextSibling[count] = firstChild[node]!;
    firstChild[node] = count;
    count += 1;
    return count - 1;
  };
  for (const pattern of patterns) {
    let node = 0;
    for (const each of pattern)
      node = childOf(node, each.kind === "char" ? tokenOf(tokens, each.char) : runToken);
    isEnd[node] = 1;
    depth = Math.max(depth, pattern.length);
  }
  return {
    chars: ["", ...tokens.keys()],
    token: token.slice(0, count),
    firstChild: firstChild.slice(0, count),
    nextSibling: nextSibling.slice(0, count),
    isEnd: isEnd.slice(0, count),
    depth,
  };
}

function tokenOf(tokens: Map<string, number>, char: string): number {
  const known = tokens.get(char) ?? tokens.size + 1;
  tokens.set(char, known);
  return known;
}
