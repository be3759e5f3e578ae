/** Says how deep data is nested, and cuts it off, without ever calling itself: what is too deep would end the stack of whoever does. */

/** Deeper arguments mean nothing to any tool; reading, comparing and storing them takes a stack that has an end. */
export const deepestArguments = 100;

/** More than any provider wraps around the arguments of a call: what is cut off below stays too deep for a call. */
const deepestEnvelope = 20;

/** Whether a value as JSON gives it is nested deeper than `deepest`. */
export function isDeeperThan(value: unknown, deepest: number): boolean {
  return nodesAt(value, deepest + 1).length > 0;
}

/**
 * Cuts off, in place, what in an answer off the wire is so deep that a client which calls itself for each level would
 * end its stack. What remains of arguments is still deeper than `deepestArguments`, so that no call is made of them.
 *
 * @returns whether anything was cut off
 */
export function cutTooDeep(answer: unknown): boolean {
  const deepest = nodesAt(answer, deepestArguments + deepestEnvelope);
  for (const node of deepest) {
    if (Array.isArray(node)) node.length = 0;
    else for (const name of Object.keys(node)) Reflect.deleteProperty(node, name);
  }
  return deepest.length > 0;
}

/** The objects and lists that lie `depth` levels below a value. */
function nodesAt(value: unknown, depth: number): object[] {
  let level = [value].filter(isNode);
  for (let at = 0; at < depth && level.length > 0; at += 1)
    level = level.flatMap((node) => Object.values(node).filter(isNode));
  return level;
}

function isNode(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
