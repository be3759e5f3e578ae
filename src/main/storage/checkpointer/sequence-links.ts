/** Writes a list of message numbers so that a list which only grows costs a constant number of bytes. */

/** Rows of integers, lowest first: the tail of the list itself, then the tails of the rows of node numbers above it. */
export type SequenceLinks = number[][];

/** Integers in one stored node; even, so that a node never splits a pair. */
const nodeWidth = 64;

/**
 * Collapses numbers to `from, count` pairs and, where parallel work has fragmented them, moves the settled
 * front of the list to shared nodes: the same front gives the same nodes, so nothing is stored twice.
 * @param internNode stores a node's text and returns its number
 */
export function linkSequence(seqs: readonly number[], internNode: (text: string) => number): SequenceLinks {
  const links: SequenceLinks = [];
  let row = toPairs(seqs);
  while (row.length > 2 * nodeWidth) {
    // The last pair may still grow, so at least one pair stays out of the nodes.
    const full = Math.floor((row.length - 1) / nodeWidth);
    const nodes: number[] = [];
    for (let i = 0; i < full; i += 1) {
      nodes.push(internNode(JSON.stringify(row.slice(i * nodeWidth, (i + 1) * nodeWidth))));
    }
    links.push(row.slice(full * nodeWidth));
    row = nodes;
  }
  links.push(row);
  return links;
}

/**
 * Undoes {@link linkSequence} up to the pairs.
 * @param readNode returns the text stored under a node's number
 * @returns `from, count, from, count, …`
 */
export function resolveSequence(links: SequenceLinks, readNode: (seq: number) => string): number[] {
  let row = links.at(-1) ?? [];
  for (let level = links.length - 2; level >= 0; level -= 1) {
    row = [...row.flatMap((node) => JSON.parse(readNode(node)) as number[]), ...links[level]!];
  }
  return row;
}

function toPairs(seqs: readonly number[]): number[] {
  const pairs: number[] = [];
  let next = Number.NaN;
  for (const seq of seqs) {
    if (seq === next) pairs[pairs.length - 1]! += 1;
    else pairs.push(seq, 1);
    next = seq + 1;
  }
  return pairs;
}
